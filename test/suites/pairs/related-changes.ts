// This file is long because one table lists every operation that changes something that others can change.
import type { ConcurrentChange } from './changes.ts';
import { type MoreName, type RacedObjects, takeHour } from './raced-objects.ts';

type ToInput = (objects: RacedObjects) => Record<string, unknown>;

/** Creates a change that runs the operation as a form or a tool would. */
const defineRun = (
  operation: string,
  toInput: ToInput,
  options: Pick<ConcurrentChange, 'needs' | 'person'> = {},
): ConcurrentChange => ({
  operation,
  ...options,
  send: ({ run }, objects) => run(operation, toInput(objects)),
});
const needs = (...names: MoreName[]) => ({ needs: names });

const byLead = (...names: MoreName[]) => ({ person: 'lead' as const, needs: names });

const toItem = ({ task, more }: RacedObjects) => ({ id: task, itemId: more.checklistItem });
const toComment = ({ task, comments }: RacedObjects) => ({ id: task, commentId: comments[0] });
const toProject = ({ more }: RacedObjects) => ({ projectId: more.project });
const toFile = ({ task, more }: RacedObjects) => ({ id: task, attachmentId: more.file });
const toNotification = ({ more }: RacedObjects) => ({ id: more.notification });
const toTemplate = ({ more }: RacedObjects) => ({ id: more.template });
const toIds = ({ task, subtask }: RacedObjects) => ({ mode: 'all', ids: [task, subtask] });

/** Changes of what belongs to a task: checklists, relations, recurrences, files, time and more. */
const partChanges: Readonly<Record<string, ConcurrentChange>> = {
  'add checklist item': defineRun('addChecklistLine', ({ task }) => ({ id: task, text: 'Added' })),
  'check checklist item': defineRun(
    'updateChecklistLine',
    (objects) => ({ ...toItem(objects), isDone: true }),
    needs('checklistItem'),
  ),
  'delete checklist item': defineRun('deleteChecklistLine', toItem, needs('checklistItem')),
  'replace checklist': defineRun('replaceChecklist', ({ task }) => ({ id: task, items: [{ text: 'Only' }] })),
  'convert checklist item': defineRun('convertChecklistLine', toItem, needs('checklistItem')),
  'undo conversion': defineRun(
    'restoreConvertedLine',
    ({ task, more }) => {
      const [itemId, subtaskId] = String(more.convertedItem).split(' ').map(Number);
      return { id: task, itemId, subtaskId, position: 0 };
    },
    needs('convertedItem'),
  ),
  'delete relation': defineRun(
    'deleteRelation',
    ({ subtask, more }) => ({ id: subtask, relationId: more.relation }),
    needs('relation'),
  ),
  'complete blocker': {
    ...needs('relation'),
    operation: 'updateTask',
    send: ({ me }, { subtask }) => me.patch(`/tasks/${subtask}`, { status: 'completed' }),
  },
  'set blockers': defineRun('setBlockers', ({ task, parent, subtask }) => ({
    tasks: [
      { id: task, blockedBy: [parent] },
      { id: subtask, blockedBy: [parent] },
    ],
  })),
  reply: {
    operation: 'addComment',
    send: ({ me }, { task, comments }) =>
      me.post(`/tasks/${task}/comments`, { content: 'A reply', parentId: comments[1] }),
  },
  'comment on several tasks': defineRun('addComments', ({ task, subtask }) => ({
    ids: [task, subtask],
    content: 'On both',
  })),
  'add reaction': defineRun('addReaction', (objects) => ({ ...toComment(objects), reaction: 'eyes' })),
  'remove reaction': defineRun(
    'removeReaction',
    (objects) => ({ ...toComment(objects), reaction: 'heart' }),
    needs('reaction'),
  ),
  'set recurrence': defineRun('setRecurrence', ({ task }) => ({
    id: task,
    rule: 'FREQ=WEEKLY',
    mode: 'schedule',
  })),
  'delete recurrence': defineRun('deleteRecurrence', ({ task }) => ({ id: task }), needs('recurrence')),
  'complete recurring task': {
    ...needs('recurrence'),
    operation: 'updateTask',
    send: ({ me }, { task }) => me.patch(`/tasks/${task}`, { status: 'completed' }),
  },
  'set reminders': defineRun('setReminders', ({ task }) => ({ id: task, items: [{ minutesBefore: 30 }] })),
  'set custom field': defineRun(
    'setTaskField',
    ({ task, more }) => ({ id: task, number: more.field, value: 'Mine' }),
    needs('field'),
  ),
  'several assignees': {
    operation: 'updateTask',
    send: ({ me }, { task, world: { people } }) =>
      me.patch(`/tasks/${task}`, { assigneeIds: [people.member.userId, people.client.userId] }),
  },
  'confirm file': {
    ...needs('upload'),
    operation: 'confirmAttachment',
    send: ({ me }, { task, more }) => me.post(`/tasks/${task}/attachments/confirm`, { s3Key: more.upload }),
  },
  'delete file': defineRun('deleteTaskAttachment', toFile, needs('file')),
  'remove file': defineRun('removeTaskFile', toFile, needs('file')),
  'restore file': defineRun(
    'restoreTaskFile',
    ({ task, more }) => ({ id: task, attachmentId: more.removedFile }),
    needs('removedFile'),
  ),
  'add time entry': defineRun('createTimeEntry', ({ task }) => ({ taskId: task, ...takeHour() })),
  'add time entries': defineRun('createTimeEntries', ({ task, subtask }) => ({
    entries: [
      { taskId: task, ...takeHour() },
      { taskId: subtask, ...takeHour() },
    ],
  })),
  'move time entry': defineRun(
    'updateTimeEntry',
    ({ subtask, more }) => ({ id: more.timeEntry, taskId: subtask }),
    needs('timeEntry'),
  ),
  'delete time entry': defineRun(
    'deleteTimeEntry',
    ({ more }) => ({ id: more.timeEntry }),
    needs('timeEntry'),
  ),
  'stop timer': defineRun('stopTimer', () => ({}), needs('runningTimer')),
};

/** Changes of the task itself that have no route, change several tasks or undo something. */
const wholeTaskChanges: Readonly<Record<string, ConcurrentChange>> = {
  'set tags': defineRun('setTaskTags', ({ task }) => ({ id: task, tags: ['raced', 'other'] })),
  'describe label': defineRun('updateLabel', () => ({ label: 'raced', color: '#2563eb' }), needs('label')),
  'set category': defineRun('setTaskCategory', ({ task, world }) => ({
    id: task,
    typeId: world.categories[0].typeId,
  })),
  'move card to column': defineRun('moveCard', ({ task }) => ({ id: task, status: 'in_progress' })),
  'move card in column': defineRun('moveCard', ({ task, parent }) => ({
    id: task,
    status: 'todo',
    above: parent,
  })),
  follow: defineRun('followTask', ({ parent }) => ({ id: parent })),
  unfollow: defineRun('unfollowTask', ({ task }) => ({ id: task })),
  'order subtasks': defineRun('orderSubtasks', ({ task, subtask }) => ({ id: task, ids: [subtask] })),
  'unarchive subtask': defineRun(
    'unarchiveTask',
    ({ more }) => ({ id: more.archivedSubtask }),
    needs('archivedSubtask'),
  ),
  'restore subtask': defineRun(
    'restoreTask',
    ({ more }) => ({ id: more.deletedSubtask }),
    needs('deletedSubtask'),
  ),
  'restore subtasks': defineRun(
    'restoreTasksInBulk',
    ({ more }) => ({ mode: 'all', ids: [more.deletedSubtask] }),
    needs('deletedSubtask'),
  ),
  'undo moves': defineRun(
    'undoTaskMoves',
    ({ more }) => ({ ids: [more.movedSubtask], since: 0 }),
    needs('movedSubtask'),
  ),
  'undo changes': defineRun(
    'undoTaskChanges',
    ({ task, more }) => ({ ids: [task], since: more.editedTask }),
    needs('editedTask'),
  ),
  'undo app': defineRun('undoAppSession', ({ more }) => ({ app: more.app }), needs('app')),
  'apply change set': defineRun('applyChangeSet', ({ more }) => ({ id: more.changeSet }), needs('changeSet')),
  'reject change set': defineRun(
    'rejectChangeSet',
    ({ more }) => ({ id: more.changeSet }),
    needs('changeSet'),
  ),
  'create several': defineRun('createTasksInBulk', ({ task, world }) => ({
    mode: 'all',
    tasks: [1, 2].map((index) => ({
      projectId: world.projects.joined.id,
      name: `Part ${index}`,
      parentId: task,
    })),
  })),
  'update several': defineRun('updateTasksInBulk', ({ task, subtask }) => ({
    mode: 'all',
    updates: [
      { id: task, status: 'completed', deadline: '2026-12-05' },
      { id: subtask, priority: 'high', parentId: null },
    ],
  })),
  'update selected': defineRun('updateSelectedTasks', ({ task, subtask }) => ({
    ids: [task, subtask],
    set: { addTags: ['raced'], status: 'in_progress' },
  })),
  'update as agent': defineRun('updateTasksAsAgent', ({ task, world }) => ({
    mode: 'all',
    updates: [{ id: task, categoryId: world.categories[1].id, checklist: [{ text: 'By an agent' }] }],
  })),
  'archive several': defineRun('archiveTasksInBulk', toIds),
  'unarchive several': defineRun(
    'unarchiveTasksInBulk',
    ({ more }) => ({ mode: 'all', ids: [more.archivedSubtask] }),
    needs('archivedSubtask'),
  ),
  'read all notifications': defineRun('markAllNotificationsRead', () => ({}), byLead()),
  'read notification': defineRun('markNotificationRead', toNotification, byLead('notification')),
  'delete notification': defineRun('deleteNotification', toNotification, byLead('notification')),
  'restore notification': defineRun(
    'restoreNotification',
    ({ more }) => ({ id: more.deletedNotification }),
    byLead('deletedNotification'),
  ),
  'save task template': defineRun('saveTaskTemplate', ({ task }) => ({ id: task })),
  'create meeting': {
    person: 'lead',
    operation: 'createMeeting',
    send: ({ me }, { world: { people, projects } }) =>
      me.post('/meetings', {
        projectId: projects.joined.id,
        name: 'Another meeting',
        date: '2026-12-03',
        time: '11:00',
        participantIds: [people.lead.userId, people.member.userId],
      }),
  },
  'move meeting by form': defineRun(
    'moveMeeting',
    ({ meeting }) => ({ id: meeting, time: '12:00' }),
    byLead(),
  ),
  'cancel meeting': defineRun('cancelMeeting', ({ meeting }) => ({ id: meeting }), byLead()),
  'restore meeting': defineRun(
    'restoreMeeting',
    ({ more }) => ({ id: more.canceledMeeting }),
    byLead('canceledMeeting'),
  ),
};

/** Changes of a project that others use at the same time, and of what belongs to it. */
const projectChanges: Readonly<Record<string, ConcurrentChange>> = {
  'move into project': defineRun(
    'moveTask',
    (objects) => ({ id: objects.task, ...toProject(objects) }),
    needs('project'),
  ),
  'change column': defineRun(
    'updateProjectColumn',
    ({ more }) => ({ id: more.project, column: 'todo', label: 'Next' }),
    needs('project'),
  ),
  'set project fields': defineRun(
    'setProjectFields',
    ({ more }) => ({ id: more.project, fieldIds: [more.field] }),
    needs('project', 'field'),
  ),
  'rename field': defineRun(
    'updateCustomField',
    ({ more }) => ({ id: more.field, name: `Renamed ${more.field}` }),
    needs('field'),
  ),
  'delete field': defineRun('deleteCustomField', ({ more }) => ({ id: more.field }), needs('field')),
  'create field': defineRun('createCustomField', ({ task }) => ({ name: `New ${task}`, type: 'number' })),
  'restore field': defineRun(
    'restoreCustomField',
    ({ more }) => ({ id: more.deletedField }),
    needs('deletedField'),
  ),
  'delete project': defineRun(
    'deleteProject',
    ({ more }) => ({ id: more.project, name: 'Shared' }),
    needs('project'),
  ),
  'create intake form': defineRun(
    'createIntakeForm',
    (objects) => ({ ...toProject(objects), greeting: 'Hello' }),
    needs('project'),
  ),
  'change intake form': defineRun(
    'updateIntakeForm',
    (objects) => ({ ...toProject(objects), assigneeId: objects.world.people.member.userId }),
    needs('project', 'intakeForm'),
  ),
  'delete intake form': defineRun('deleteIntakeForm', toProject, needs('project', 'intakeForm')),
  'send intake form': {
    ...needs('project', 'intakeForm'),
    operation: 'submitIntakeForm',
    send: ({ runPublic }, { more }) =>
      runPublic('submitIntakeForm', {
        secret: more.intakeForm,
        key: crypto.randomUUID(),
        name: 'A request',
      }),
  },
  'leave the assignee of the form': defineRun(
    'removeProjectMember',
    ({ more, world }) => ({ id: more.project, userId: world.people.member.userId }),
    needs('project'),
  ),
  'create public link': defineRun('createPublicLink', toProject, needs('project')),
  'change public link': defineRun(
    'updatePublicLink',
    ({ more }) => ({ id: more.publicLink, showsNames: true }),
    needs('project', 'publicLink'),
  ),
  'revoke public link': defineRun(
    'revokePublicLink',
    ({ more }) => ({ id: more.publicLink }),
    needs('project', 'publicLink'),
  ),
  'start export': defineRun('createExport', () => ({ includeFiles: true })),
  'delete export': defineRun('deleteExport', ({ more }) => ({ id: more.export }), needs('export')),
  'rename template': defineRun(
    'updateTemplate',
    (objects) => ({ ...toTemplate(objects), name: 'Renamed' }),
    needs('template'),
  ),
  'delete template': defineRun('deleteTemplate', toTemplate, needs('template')),
  'add template task': defineRun(
    'addTemplateTask',
    (objects) => ({ ...toTemplate(objects), name: 'Another step' }),
    needs('template'),
  ),
  'change template task': defineRun(
    'updateTemplateTask',
    (objects) => ({ ...toTemplate(objects), itemId: 2, name: 'Renamed step' }),
    needs('template'),
  ),
  'delete template task': defineRun(
    'deleteTemplateTask',
    (objects) => ({ ...toTemplate(objects), itemId: 2 }),
    needs('template'),
  ),
  'save project template': defineRun(
    'saveProjectTemplate',
    ({ more }) => ({ id: more.project }),
    needs('project'),
  ),
  'project from template': defineRun(
    'createProjectFromTemplate',
    ({ more }) => ({ templateId: more.projectTemplate, name: 'From a template' }),
    needs('project', 'projectTemplate'),
  ),
};

export const relatedChanges = { ...partChanges, ...wholeTaskChanges, ...projectChanges };
