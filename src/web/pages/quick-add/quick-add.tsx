import * as z from 'zod';
import { integerId } from '../../../kernel/operation/schema.ts';
import { shorten } from '../../../kernel/text/shorten.ts';
import { listProjectChoices } from '../../../search/lookup/choices.ts';
import { createTask } from '../../../tasks/operations/tasks.ts';
import { QUICK_ADD_CHARACTERS_MAX, type quickAddTask } from '../../../tasks/quick-add/quick-add.schema.ts';
import { parseQuickAdd } from '../../../tasks/quick-add/quick-add.ts';
import { describeRecurrence } from '../../../tasks/recurrence/describe-recurrence.ts';
import { priorityLabels } from '../../components/status-and-priority.tsx';
import { formatLongDate } from '../../components/time.tsx';
import { defineFieldResolver, defineForm, definePage } from '../../page-model/page.ts';
import { matchesPreview, PREVIEW_FIELD } from './preview-fingerprint.ts';
import { QuickAddView } from './quick-add.view.tsx';

export const quickAddParams = z.object({
  name: z.string().max(QUICK_ADD_CHARACTERS_MAX).optional(),
  projectId: integerId.optional(),
});
export const quickAddReads = { projects: listProjectChoices };
export const quickAddOptionalReads = { understood: parseQuickAdd };

export const quickAddPage = definePage({
  name: 'taskLine',
  path: '/tasks/add',
  title: () => 'Add a task',
  params: quickAddParams,
  reads: quickAddReads,
  optionalReads: quickAddOptionalReads,
  inputs: ({ name, projectId }) => ({
    projects: {},
    understood: name?.trim() ? { text: name, ...(projectId && { projectId }) } : null,
  }),
  view: QuickAddView,
  script: 'my-work',
});

const SHOWN_NAME_CHARACTERS_MAX = 60;

function buildResolver(isResolved: (text: string) => boolean) {
  return defineFieldResolver({
    operation: parseQuickAdd,
    fields: [PREVIEW_FIELD, 'look', 'stay'],
    input: (fields) => {
      const text = fields.get('name') ?? '';
      const projectId = Number(fields.get('projectId'));
      return isResolved(text) ? { text, ...(projectId && { projectId }) } : null;
    },
    of: (answer, fields) => {
      const [problem] = answer.problems;
      if (problem !== undefined) return { problems: { name: answer.problems.join(' ') } };
      if (!matchesPreview(answer, fields)) {
        return {
          problems: { name: 'The preview has changed. Check it, then add the task again.' },
        };
      }
      return { input: toTaskInput(answer) };
    },
  });
}

function toTaskInput(answer: z.output<typeof quickAddTask>) {
  const { name, assignees, project, parent, deadline, dueTime, recurrence, priority, tags } = answer;
  return {
    name,
    projectId: project?.id,
    deadline,
    // Replaces the person whom a filtered board would choose.
    ...(assignees.length > 0 && { assigneeId: undefined, assigneeIds: assignees.map(({ id }) => id) }),
    ...(parent && { parentId: parent.id }),
    ...(dueTime !== null && { dueTime }),
    ...(recurrence && { recurrence }),
    ...(priority && { priority }),
    ...(tags.length > 0 && { tags: tags.map((tag) => tag.name) }),
  };
}

type NewTask = z.output<typeof createTask.input>;

function describeAddedTask(
  { id, name, assignee, deadline, priority, project, tags }: z.output<typeof createTask.output>,
  { dueTime, recurrence, parentId }: NewTask,
) {
  const details = [
    assignee?.name,
    deadline && [formatLongDate(deadline), dueTime].filter(Boolean).join(' '),
    recurrence && describeRecurrence({ ...recurrence, days: recurrence.days ?? null }),
    `${priorityLabels[priority]} priority`,
    ...tags,
    parentId && `Subtask of #${parentId}`,
  ];
  const message = [
    `Added: ${shorten(name, SHOWN_NAME_CHARACTERS_MAX)}`,
    ...details,
    shorten(project.name, SHOWN_NAME_CHARACTERS_MAX),
  ]
    .filter(Boolean)
    .join(' · ');
  return {
    text: message,
    link: { path: `/tasks/${id}`, label: 'Open' },
    undo: { path: `/tasks/${id}/archive`, fields: {} },
  };
}

export const addTaskForm = defineForm({
  name: 'addTask',
  path: '/tasks/add',
  operation: createTask,
  redirectInstead: (fields, base) =>
    fields.has('look') ? `${base}/tasks/add?${toPreviewQuery(fields)}` : null,
  resolver: buildResolver(() => true),
  // Quick create returns to the current screen.
  redirectTo: (_output, { base, back, fields, input }) =>
    fields.has('stay')
      ? back
      : `${base}?project=${encodeURIComponent(fields.get('projectId') || input.projectId)}`,
  flash: ({ output, input }) => describeAddedTask(output, input),
});

/** The line at the top of a board's column, or below a task's subtasks, creates its task right there. */
export const addInPlaceForm = defineForm({
  name: 'quickAdd',
  path: '/tasks',
  operation: createTask,
  // Details follow a comma. Without one, the text doesn't have to be resolved.
  resolver: buildResolver((text) => text.includes(',')),
  // The field no longer shows the details.
  flash: ({ output, input, fields }) =>
    fields.get('name') === input.name ? null : describeAddedTask(output, input),
});

function toPreviewQuery(fields: URLSearchParams): URLSearchParams {
  return new URLSearchParams(
    ['name', 'projectId'].flatMap((name) => (fields.get(name) ? [[name, fields.get(name) ?? '']] : [])),
  );
}
