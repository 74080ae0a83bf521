// This file is long because a task's page has many small forms.

import * as z from 'zod';
import { downloadTaskAttachment, listTaskAttachments } from '../../../files/attachments/attachments.ts';
import { removeTaskFile } from '../../../files/attachments/remove.ts';
import { restoreTaskFile } from '../../../files/attachments/restore.ts';
import { integerId } from '../../../kernel/operation/schema.ts';
import { formatCount } from '../../../kernel/text/number-format.ts';
import { listStatusesInProject } from '../../../projects/operations/project-columns.ts';
import { getChecklist } from '../../../tasks/checklists/checklists.ts';
import { addComment, deleteComment, updateComment } from '../../../tasks/comments/comments.ts';
import { duplicateTask } from '../../../tasks/duplicate/duplicate.ts';
import { FEED_ITEMS_MAX, listTaskFeed } from '../../../tasks/feed/feed.ts';
import { listLabelChoices } from '../../../tasks/labels/labels.ts';
import { followTask, unfollowTask } from '../../../tasks/operations/following.ts';
import { getReminders } from '../../../tasks/operations/reminders.ts';
import { setTaskTags } from '../../../tasks/operations/tags.ts';
import { listTaskFields, setTaskField } from '../../../tasks/operations/task-fields.ts';
import { archiveTask, getTask, unarchiveTask, updateTask } from '../../../tasks/operations/tasks.ts';
import { addReaction, removeReaction } from '../../../tasks/reactions/reactions.ts';
import { getDescriptionReferences, mergeReferences } from '../../../tasks/references/references.ts';
import { RELATIONS_MAX } from '../../../tasks/relations/relations.schema.ts';
import { listRelations } from '../../../tasks/relations/relations.ts';
import { listSubtasks, orderSubtasks } from '../../../tasks/subtasks/subtasks.ts';
import { getTaskPermissions } from '../../../tasks/trash/task-permissions.ts';
import { listTimeEntries, startTimer, stopTimer } from '../../../time/tracking/time-tracking.ts';
import { listUsers } from '../../../workspaces/reference/users.ts';
import { COMPLETE_FORM_ID } from '../../components/complete-button.tsx';
import { PICKER_FORM_PREFIX } from '../../components/picker-data.tsx';
import { buildSnapshotField } from '../../components/snapshot-field.ts';
import { priorityLabels } from '../../components/status-and-priority.tsx';
import { parseTags, TAGS_FIELD } from '../../components/tags-field.tsx';
import { formatLongDate } from '../../components/time.tsx';
import { defineForm, definePage } from '../../page-model/page.ts';
import { buildFileRemovedMessage } from '../files/file-removed-message.ts';
import { buildUndoableMessage, buildUndoneMessage } from '../task-list/undo-form.ts';
import { LATEST_ITEMS_SHOWN } from './feed.view.tsx';
import { TaskView } from './task.view.tsx';

const PEOPLE_SUGGESTED_MAX = 100;
const ENTRIES_SHOWN_MAX = 10;
const FILES_SHOWN_MAX = 100;
const SUBTASKS_SHOWN_MAX = 100;

export const taskParams = z.object({
  task: integerId,
  activity: z.enum(['all', 'comments']).default('all'),
  shown: z.int().min(1).max(FEED_ITEMS_MAX).default(LATEST_ITEMS_SHOWN),
  before: integerId.optional(),
});

export const taskReads = {
  task: getTask,
  subtasks: listSubtasks,
  statuses: listStatusesInProject,
  people: listUsers,
  feed: listTaskFeed,
  described: getDescriptionReferences,
  files: listTaskAttachments,
  entries: listTimeEntries,
  checklist: getChecklist,
  relations: listRelations,
  reminders: getReminders,
  fields: listTaskFields,
};
export const taskOptionalReads = {
  labels: listLabelChoices,
  permissions: getTaskPermissions,
};

export const taskPage = definePage({
  name: 'task',
  path: '/tasks/:task',
  title: ({ answers }) => answers.task.name,
  params: taskParams,
  reads: taskReads,
  optionalReads: taskOptionalReads,
  inputs: ({ task, activity, shown, before }) => ({
    task: {
      id: task,
      expand: ['detail' as const, 'structure' as const, 'assignees' as const, 'recurrence' as const],
    },
    subtasks: {
      id: task,
      limit: SUBTASKS_SHOWN_MAX,
      expand: ['structure' as const, 'assignees' as const],
    },
    statuses: { taskId: task },
    people: { limit: PEOPLE_SUGGESTED_MAX },
    feed: { id: task, show: activity, limit: shown, before },
    described: { id: task },
    entries: { taskId: task, limit: ENTRIES_SHOWN_MAX },
    files: { id: task, limit: FILES_SHOWN_MAX },
    checklist: { id: task },
    reminders: { id: task },
    labels: {},
    relations: { id: task, limit: RELATIONS_MAX },
    fields: { id: task },
    permissions: { id: task },
  }),
  mentioned: ({ feed }) => feed.references.people,
  references: ({ task, feed, described }) => ({
    task: task.id,
    ...mergeReferences([described, feed.references]),
  }),
  view: TaskView,
  script: 'task',
});

export const downloadFilePage = definePage({
  name: 'downloadFile',
  path: '/tasks/:task/files/:file',
  title: () => 'Download',
  params: z.object({ task: integerId, file: integerId }),
  reads: { file: downloadTaskAttachment },
  inputs: ({ task, file }) => ({ file: { id: task, attachmentId: file } }),
  redirectTo: ({ file }) => file.url,
  view: () => null,
});

/** Each field has its own form so that concurrent changes to different fields don't overwrite each other. */
export const updateTaskForm = defineForm({
  name: 'changeTask',
  path: '/tasks/:id',
  operation: updateTask,
  flash: ({ input: { id, status }, fields, output, now }) => {
    const form = fields.get('field');
    if (form === COMPLETE_FORM_ID)
      return buildUndoableMessage(status === 'completed' ? 'Completed' : 'Reopened', [id], now);
    return form?.startsWith(PICKER_FORM_PREFIX)
      ? buildUndoableMessage(describePickedChange(form, output), [id], now)
      : null;
  },
});

type UpdatedTask = Pick<z.output<typeof updateTask.output>, 'assignee' | 'deadline' | 'priority'>;

function describePickedChange(form: string, { assignee, deadline, priority }: UpdatedTask): string {
  if (form.endsWith('assignee')) return assignee ? `Assigned to ${assignee.name}` : 'Unassigned';
  if (form.endsWith('status')) return 'Status changed';
  if (form.endsWith('startDate')) return 'Start date changed';
  if (form.endsWith('deadline'))
    return deadline ? `Deadline: ${formatLongDate(deadline)}` : 'Deadline removed';
  return `${priorityLabels[priority]} priority`;
}

/** A button sends the direction and id of one subtask. The form also sends all subtask ids in their current order. */
export const orderSubtasksForm = defineForm({
  name: 'orderSubtasks',
  path: '/tasks/:id/subtasks/order',
  operation: orderSubtasks,
  toInput: (fields) => ({
    ids: moveSubtask((fields.get('ids') ?? '').split(',').map(Number), fields.get('move') ?? ''),
  }),
});

function moveSubtask(ids: readonly number[], move: string): number[] {
  const [direction, id] = move.split(':');
  const from = ids.indexOf(Number(id));
  const to = from + (direction === 'up' ? -1 : 1);
  const neighborId = ids[to];
  if (from < 0 || neighborId === undefined) return [...ids];
  return ids.with(to, Number(id)).with(from, neighborId);
}

export const followTaskForm = defineForm({
  name: 'followTask',
  path: '/tasks/:id/follow',
  operation: followTask,
});
export const unfollowTaskForm = defineForm({
  name: 'unfollowTask',
  path: '/tasks/:id/unfollow',
  operation: unfollowTask,
  removal: 'undone',
  flash: ({ input: { id } }) => ({ text: 'Unfollowed', undo: { path: `/tasks/${id}/follow`, fields: {} } }),
});

export const tagTaskForm = defineForm({
  name: 'tagTask',
  path: '/tasks/:id/tags',
  operation: setTaskTags,
  toInput: (fields) => ({ tags: parseTags(fields.get(TAGS_FIELD)) }),
  removal: 'undone',
  flash: ({ input: { id, tags }, output: { was }, fields: sent }) => {
    const removed = was.filter((tag) => !tags.includes(tag));
    const isPicked = sent.get('field')?.startsWith(PICKER_FORM_PREFIX);
    if (removed.length === 0 && !isPicked) return null;
    const fields = { tags: was.join(', '), shown: buildSnapshotField({ tags: [...new Set(tags)] }) };
    return {
      text: isPicked ? 'Tags changed' : `${formatCount(removed.length, 'tag')} removed`,
      undo: { path: `/tasks/${id}/tags`, fields },
    };
  },
});

export const setTaskFieldForm = defineForm({
  name: 'setTaskField',
  path: '/tasks/:id/fields/:number',
  operation: setTaskField,
  flash: ({ input: { id }, output: { name, was }, now }) =>
    was === null ? null : buildUndoableMessage(`${name} changed`, [id], now),
});

/** The form sends all assignees, and a person to add at the end or to remove. */
export const assignTaskForm = defineForm({
  name: 'assignTask',
  path: '/tasks/:id/assignees',
  operation: updateTask,
  toInput: (fields) => {
    const [add, remove] = [fields.get('add'), fields.get('remove')];
    const assigned = parseAssigneeIds(fields).filter((id) => id !== remove);
    return { assigneeIds: add ? [...new Set([...assigned, add])] : assigned };
  },
  removal: 'undone',
  flash: ({ input: { id, assigneeIds = [] }, fields }) => {
    const previousIds = parseAssigneeIds(fields);
    if (previousIds.length <= assigneeIds.length) return null;
    const snapshot = buildSnapshotField({ assigneeIds });
    return {
      text: 'Assignee removed',
      undo: {
        path: `/tasks/${id}/assignees`,
        fields: { assigneeIds: previousIds.join(','), shown: snapshot },
      },
    };
  },
});

const parseAssigneeIds = (fields: URLSearchParams) =>
  (fields.get('assigneeIds') ?? '').split(',').filter((id) => id !== '');

export const updateDescriptionForm = defineForm({
  name: 'writeDescription',
  path: '/tasks/:id/description',
  operation: updateTask,
  multiline: ['description'],
});

export const addCommentForm = defineForm({
  name: 'comment',
  path: '/tasks/:id/comments',
  operation: addComment,
  multiline: ['content'],
});
/** Replies have their own path, so that a rejected reply returns to its own form. */
export const replyForm = defineForm({
  name: 'reply',
  path: '/tasks/:id/comments/:parentId/replies',
  operation: addComment,
  multiline: ['content'],
});
export const editCommentForm = defineForm({
  name: 'rewriteComment',
  path: '/tasks/:id/comments/:commentId',
  operation: updateComment,
  multiline: ['content'],
});
export const deleteCommentForm = defineForm({
  name: 'removeComment',
  path: '/tasks/:id/comments/:commentId/remove',
  operation: deleteComment,
  removal: 'asked',
  flash: () => ({ text: 'Comment deleted' }),
});
export const addReactionForm = defineForm({
  name: 'addReaction',
  path: '/tasks/:id/comments/:commentId/reactions',
  operation: addReaction,
});
export const removeReactionForm = defineForm({
  name: 'removeReaction',
  path: '/tasks/:id/comments/:commentId/reactions/remove',
  operation: removeReaction,
  removal: 'undone',
  flash: ({ input: { id, commentId, reaction } }) => ({
    text: 'Reaction removed',
    undo: { path: `/tasks/${id}/comments/${commentId}/reactions`, fields: { reaction } },
  }),
});
export const removeFileForm = defineForm({
  name: 'removeFile',
  path: '/tasks/:id/files/:attachmentId/remove',
  operation: removeTaskFile,
  toInput: () => ({}),
  removal: 'undone',
  flash: ({ input, fields }) => buildFileRemovedMessage(`/tasks/${input.id}`, fields),
});
export const restoreFileForm = defineForm({
  name: 'restoreFile',
  path: '/tasks/:id/files/:attachmentId/restore',
  operation: restoreTaskFile,
  flash: buildUndoneMessage,
});

export const startTimerForm = defineForm({
  name: 'startTimer',
  path: '/tasks/:taskId/timer',
  operation: startTimer,
});
export const stopTimerForm = defineForm({ name: 'stopTimer', path: '/timer/stop', operation: stopTimer });

export const archiveTaskForm = defineForm({
  name: 'archiveTask',
  path: '/tasks/:id/archive',
  operation: archiveTask,
  removal: 'undone',
  flash: ({ input, now }) => buildUndoableMessage('Archived', [input.id], now),
});
export const restoreTaskForm = defineForm({
  name: 'restoreTask',
  path: '/tasks/:id/restore',
  operation: unarchiveTask,
  flash: ({ input, now }) => buildUndoableMessage('Restored', [input.id], now),
});
export const duplicateTaskForm = defineForm({
  name: 'duplicateTask',
  path: '/tasks/:id/duplicate',
  operation: duplicateTask,
  redirectTo: ({ id }, { base }) => `${base}/tasks/${id}`,
});
