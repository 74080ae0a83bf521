// This file is long because one table contains the access rules for all operations. Read it alongside docs/contract.md.
import { deleteExports, insertExport } from '../../exports/prepare-export.ts';
import { addCsvFile } from '../../imports/prepare-import.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createTask, type Person } from '../../support/world.ts';
import { insertWebhook } from '../../webhooks/operations/insert-webhook.ts';
import type { ResponseBody } from './comparison.ts';
import type { Actor, Outcome, Relation } from './oracle.ts';
import * as oracle from './oracle.ts';
import {
  type Caller,
  DEADLINE,
  type IsolationWorld,
  insertFile,
  insertNotification,
  insertTimeEntry,
  type ObjectSet,
} from './world.ts';

interface RuleCall {
  readonly path: string;
  readonly body?: Record<string, unknown> | string;
  readonly headers?: Record<string, string>;
}

/** A way to use an operation, and the outcome that the oracle expects. */
export interface Rule {
  /** `METHOD /path`, as in the registry. */
  readonly route: string;
  /** Distinguishes several rules of the same operation. */
  readonly variant?: string;
  readonly scope: string;
  readonly relations: readonly Relation[];
  readonly expected: (actor: Actor, relation: Relation) => Outcome;
  readonly call: (objects: ObjectSet, caller: Caller, world: IsolationWorld) => RuleCall;
  /** Creates the data that a successful request uses up. */
  readonly prepare?: (objects: ObjectSet, caller: Caller, world: IsolationWorld) => Promise<ObjectSet>;
  /** The id that a successful response must contain. */
  readonly shows?: (objects: ObjectSet) => unknown;
  /** Reads the id from the response. By default, reads `id`. */
  readonly read?: (body: ResponseBody) => unknown;
}

const allRelations: readonly Relation[] = [
  'owned',
  'joined',
  'creator',
  'follower',
  'assignee',
  'none',
  'foreign',
  'missing',
];
const personalRelations: readonly Relation[] = ['owned', 'none', 'foreign', 'missing'];
const sharedRelations: readonly Relation[] = ['none', 'foreign', 'missing'];
const uploadBody = { fileName: 'a.txt', fileType: 'text/plain', fileSize: 5 };
const buildMeeting = (objects: ObjectSet, caller: Caller) => ({
  projectId: objects.project,
  name: 'A meeting',
  date: DEADLINE,
  time: '10:00',
  participantIds: [caller.person.userId],
});

type ObjectRule = Pick<Rule, 'call'> & Partial<Rule>;
const createTaskRule = (route: string, rule: ObjectRule): Rule => ({
  route,
  scope: route.startsWith('GET') ? 'tasks:read' : 'tasks:write',
  relations: allRelations,
  expected: oracle.judgeTaskAccess,
  ...rule,
});
const createProjectRule = (route: string, rule: ObjectRule): Rule => ({
  route,
  scope: 'projects:read',
  relations: allRelations,
  expected: oracle.judgeProjectAccess,
  ...rule,
});
const createMeetingRule = (route: string, rule: ObjectRule): Rule =>
  createTaskRule(route, { expected: oracle.judgeMeetingAccess, ...rule });
/** For objects that only their owner can see. */
const createOwnRule = (route: string, scope: string, rule: ObjectRule): Rule => ({
  route,
  scope,
  relations: personalRelations,
  expected: (_actor, relation) => (relation === 'owned' ? 'ok' : 'hidden'),
  ...rule,
});
/** For objects that everyone in the workspace can see. */
const createSharedRule = (route: string, scope: string, rule: ObjectRule): Rule => ({
  route,
  scope,
  relations: sharedRelations,
  expected: ({ isBoundHere }, relation) => (isBoundHere && relation === 'none' ? 'ok' : 'hidden'),
  ...rule,
});
/** For operations without an object. lists.test.ts checks the contents of lists. */
const createUnnamedRule = (route: string, scope: string, body?: Record<string, unknown>): Rule => ({
  route,
  scope,
  relations: ['none'],
  expected: () => 'ok',
  call: () => ({ path: route.split(' ')[1] as string, ...(body && { body }) }),
});
/** An upload session can be used only by its creator, and only in the workspace of the upload. */
const createSessionRule = (route: string, rule: ObjectRule): Rule =>
  createOwnRule(route, route.startsWith('GET') ? 'tasks:read' : 'tasks:write', {
    expected: ({ isBoundHere }, relation) => (isBoundHere && relation === 'owned' ? 'ok' : 'hidden'),
    ...rule,
  });

const getCommentPath = ({ task, comment }: ObjectSet) => `/tasks/${task}/comments/${comment}`;
/** Creating or changing a webhook also requires the scope to read events. */
const WEBHOOK_SCOPES = 'webhooks:write events:read';
const getWebhookPath = ({ belongings }: ObjectSet) => `/webhooks/${belongings.webhook}`;
const createWebhookRule = (route: string, expected: Rule['expected'], rule: Partial<Rule> = {}): Rule => ({
  route,
  scope: /^(GET|DELETE) /.test(route) ? 'webhooks:write' : WEBHOOK_SCOPES,
  relations: personalRelations,
  expected,
  call: (objects) => ({ path: getWebhookPath(objects) + (route.split('/:id')[1] ?? '') }),
  ...rule,
});

const createImportRule = (route: string, rule: Partial<Rule>): Rule => ({
  route,
  scope: route.startsWith('GET') ? 'tasks:read' : 'tasks:write',
  relations: personalRelations,
  expected: oracle.judgeImportAccess,
  call: ({ belongings }) => ({
    path: `/imports/${belongings.import}${route.split('/:id')[1] ?? ''}`,
    ...(route.startsWith('PATCH') && { body: {} }),
  }),
  ...rule,
});

const EXPORT_SCOPES = 'tasks:read projects:read time:read events:read';
const createExportRule = (route: string, rule: Partial<Rule> = {}): Rule => ({
  route,
  scope: EXPORT_SCOPES,
  relations: personalRelations,
  expected: oracle.judgeImportAccess,
  call: ({ belongings }) => ({ path: `/exports/${belongings.export}` }),
  ...rule,
});

/** A workspace keeps only a few exports. */
async function clearExports(
  objects: ObjectSet,
  _caller: Caller,
  { home }: IsolationWorld,
): Promise<ObjectSet> {
  await deleteExports(home.cell, home.no);
  return objects;
}

async function setImportStatus(objects: ObjectSet, status: string): Promise<ObjectSet> {
  for (const cell of [0, 1]) {
    await getCell(cell)
      .prepare('UPDATE imports SET status = ? WHERE id = ?')
      .bind(status, objects.belongings.import)
      .run();
  }
  return objects;
}

/** Only the person who worked can change a time entry, and only in the workspace of the task. */
const createTimeEntryRule = (route: string, rule: ObjectRule): Rule =>
  createOwnRule(route, 'time:write', {
    expected: ({ isBoundHere }, relation) => (isBoundHere && relation === 'owned' ? 'ok' : 'hidden'),
    ...rule,
  });
const getEntryPath = ({ belongings }: ObjectSet) => `/timer/entries/${belongings.timeEntry}`;
const findOwnObjects = ({ objectSets }: Caller) =>
  objectSets.find(({ relation }) => relation === 'owned') as ObjectSet;
const ENTRY_START = '2026-03-02T09:30:00.000Z';
/** Deletes the entry that the last successful request created, because time entries can't overlap. */
const freeTimeSlot = async (objects: ObjectSet, { bound }: Caller) => {
  await getCell(0)
    .prepare('DELETE FROM time_entries WHERE member = ? AND started_at = ?')
    .bind(bound.member, Date.parse(ENTRY_START))
    .run();
  return objects;
};

const addComment = async (objects: ObjectSet, author: Person): Promise<ObjectSet> => {
  const answer = await api(author.token).post(`/tasks/${objects.task}/comments`, { content: 'A remark' });
  return { ...objects, comment: answer.body.id };
};

/** Replaces the task's checklist, so that it never has too many items. */
const addChecklistItem = async (
  objects: ObjectSet,
  _caller: Caller,
  { host }: { host: Person },
): Promise<ObjectSet> => {
  const items = [{ text: 'A line' }];
  const answer = await api(host.token).put(`/tasks/${objects.task}/checklist`, { items });
  return { ...objects, line: answer.body.items?.[0]?.id };
};

const addRecurrenceToDraft = async (
  objects: ObjectSet,
  _caller: Caller,
  { host }: { host: Person },
): Promise<ObjectSet> => {
  const rule = { rule: 'FREQ=WEEKLY', mode: 'completion' };
  await api(host.token).put(`/tasks/${objects.task}/recurrence`, rule);
  return objects;
};

/** Replaces the task's subtasks with a new subtask that the person can see. */
const addSubtask = async (
  objects: ObjectSet,
  { bound }: Caller,
  { host }: IsolationWorld,
): Promise<ObjectSet> => {
  await getCell(0).prepare('UPDATE tasks SET parent = NULL WHERE parent = ?').bind(objects.task).run();
  const author = objects.relation === 'foreign' ? bound : host;
  const fields = { parentId: objects.task, assigneeId: bound.userId };
  return { ...objects, subtask: (await createTask(author, objects.project, fields)).id };
};

/**
 * Replaces the task's relations with a relation to a new task that the person can see, unless `isRelated` is
 * false.
 */
const addRelatedTask =
  (isRelated: boolean) =>
  async (objects: ObjectSet, { bound }: Caller, { host }: IsolationWorld): Promise<ObjectSet> => {
    await getCell(0)
      .prepare('DELETE FROM task_relations WHERE source = ?1 OR target = ?1')
      .bind(objects.task)
      .run();
    const author = objects.relation === 'foreign' ? bound : host;
    const related = (await createTask(author, objects.project, { assigneeId: bound.userId })).id;
    if (!isRelated) return { ...objects, related };
    const body = { type: 'relates_to', taskId: related };
    const answer = await api(author.token).post(`/tasks/${objects.task}/relations`, body);
    return { ...objects, related, taskRelation: answer.body.id };
  };
/** Replaces the task with a new task that has the same relation to the person. */
const createSpareTask = async (
  objects: ObjectSet,
  { bound }: Caller,
  { host }: IsolationWorld,
): Promise<ObjectSet> => {
  if (objects.relation === 'missing') return objects;
  const author = objects.relation === 'foreign' ? bound : host;
  const follows = ['creator', 'follower', 'assignee'].includes(objects.relation);
  const fields = follows ? { assigneeId: bound.userId } : {};
  return { ...objects, task: (await createTask(author, objects.project, fields)).id };
};

const deleteSpareTask = async (objects: ObjectSet, caller: Caller, world: IsolationWorld) => {
  const spare = await createSpareTask(objects, caller, world);
  await api(world.host.token).delete(`/tasks/${spare.task}`);
  return spare;
};

const restoreMeeting = async (objects: ObjectSet, { bound }: Caller) => {
  await getCell(0)
    .prepare('UPDATE meetings SET cancelled_at = NULL WHERE id = ?')
    .bind(objects.meeting)
    .run();
  await getCell(0)
    .prepare('UPDATE credentials SET revoked_at = NULL WHERE member = ?')
    .bind(bound.member)
    .run();
  return objects;
};

/** The order matters, because no rule may use up what a later rule needs. */
export const rules: readonly Rule[] = [
  createUnnamedRule('GET /me', 'profile:read'),
  createUnnamedRule('POST /auth/refresh', 'session'),
  createUnnamedRule('GET /workspaces', 'session'),
  {
    route: 'POST /workspaces/:id/switch',
    scope: 'session',
    relations: sharedRelations,
    // Everyone can switch to the home workspace, even the visitor, who belongs to both workspaces.
    expected: (_actor, relation) => (relation === 'none' ? 'ok' : 'hidden'),
    call: ({ belongings }) => ({ path: `/workspaces/${belongings.workspaceId}/switch` }),
  },
  createUnnamedRule('GET /connected-apps', 'session'),
  createUnnamedRule('POST /connected-apps/api-keys', 'session', { name: 'A key' }),
  createOwnRule('DELETE /connected-apps/:id', 'session', {
    call: ({ belongings }) => ({ path: `/connected-apps/${belongings.app}` }),
    prepare: restoreMeeting,
  }),

  createUnnamedRule('GET /projects', 'projects:read'),
  createProjectRule('GET /projects/:id', {
    call: ({ project }) => ({ path: `/projects/${project}?expand=members` }),
    shows: (objects) => objects.project,
  }),
  createProjectRule('GET /projects/:id/members', {
    call: ({ project }) => ({ path: `/projects/${project}/members` }),
  }),
  createProjectRule('GET /projects/:id/statuses', {
    call: ({ project }) => ({ path: `/projects/${project}/statuses` }),
  }),
  createProjectRule('GET /projects/:id/attachments', {
    scope: 'tasks:read',
    call: ({ project }) => ({ path: `/projects/${project}/attachments` }),
  }),
  createProjectRule('GET /projects/:id/attachments/:attachmentId/download', {
    scope: 'tasks:read',
    call: ({ project, projectFile }) => ({
      path: `/projects/${project}/attachments/${projectFile}/download`,
    }),
  }),
  createProjectRule('GET /projects/:id/attachments/:attachmentId/download', {
    variant: 'of a file on a task',
    scope: 'tasks:read',
    expected: () => 'hidden',
    call: ({ project, taskFile }) => ({ path: `/projects/${project}/attachments/${taskFile}/download` }),
  }),

  createProjectRule('DELETE /projects/:id/attachments/:attachmentId', {
    scope: 'tasks:write',
    expected: oracle.judgeProjectFileRemoval,
    call: ({ project, projectFile }) => ({ path: `/projects/${project}/attachments/${projectFile}` }),
    prepare: async (objects, _caller, { home, host }) => ({
      ...objects,
      projectFile: await insertFile(home, host, { project: objects.project }),
    }),
  }),

  ...['/task-statuses', '/project-statuses'].flatMap((path): Rule[] => [
    createUnnamedRule(`GET ${path}`, 'projects:read'),
    {
      route: `GET ${path}/:id`,
      scope: 'projects:read',
      relations: ['none', 'missing'],
      expected: (_actor, relation) => (relation === 'none' ? 'ok' : 'hidden'),
      call: ({ relation }) => ({ path: `${path}/${relation === 'missing' ? MISSING.project : 1}` }),
    },
  ]),
  ...['/task-categories', '/task-types', '/labels', '/custom-fields', '/users', '/teams'].map((path) =>
    createUnnamedRule(`GET ${path}`, 'projects:read'),
  ),
  createSharedRule('GET /task-categories/:id', 'projects:read', {
    call: ({ belongings }) => ({ path: `/task-categories/${belongings.category}` }),
    shows: ({ belongings }) => belongings.category,
  }),
  createSharedRule('GET /task-types/:id', 'projects:read', {
    call: ({ belongings }) => ({ path: `/task-types/${belongings.type}` }),
    shows: ({ belongings }) => belongings.type,
  }),
  createSharedRule('GET /users/:id', 'projects:read', {
    call: ({ belongings }) => ({ path: `/users/${belongings.userId}` }),
    shows: ({ belongings }) => belongings.userId,
  }),

  createUnnamedRule('GET /tasks', 'tasks:read'),
  createTaskRule('GET /tasks/:id', {
    call: ({ task }) => ({ path: `/tasks/${task}` }),
    shows: (objects) => objects.task,
  }),
  createTaskRule('GET /tasks/:id/activities', {
    call: ({ task }) => ({ path: `/tasks/${task}/activities` }),
  }),
  createTaskRule('GET /tasks/:id', {
    variant: 'with its structure',
    call: ({ task }) => ({ path: `/tasks/${task}?expand=structure` }),
    shows: (objects) => objects.task,
  }),
  createTaskRule('GET /tasks/:id/subtasks', { call: ({ task }) => ({ path: `/tasks/${task}/subtasks` }) }),
  createTaskRule('GET /tasks/:id/comments', { call: ({ task }) => ({ path: `/tasks/${task}/comments` }) }),
  createTaskRule('GET /tasks/:id/attachments', {
    call: ({ task }) => ({ path: `/tasks/${task}/attachments` }),
  }),
  createTaskRule('GET /tasks/:id/attachments/:attachmentId/download', {
    call: ({ task, taskFile }) => ({ path: `/tasks/${task}/attachments/${taskFile}/download` }),
  }),
  createTaskRule('GET /tasks/:id/attachments/:attachmentId/download', {
    variant: 'of a file in its project',
    expected: () => 'hidden',
    call: ({ task, projectFile }) => ({ path: `/tasks/${task}/attachments/${projectFile}/download` }),
  }),
  createTaskRule('DELETE /tasks/:id/attachments/:attachmentId', {
    expected: oracle.judgeTaskFileRemoval,
    call: ({ task, taskFile }) => ({ path: `/tasks/${task}/attachments/${taskFile}` }),
    prepare: async (objects, _caller, { home, host }) => ({
      ...objects,
      taskFile: await insertFile(home, host, { task: objects.task }),
    }),
  }),
  createTaskRule('PATCH /tasks/:id', {
    call: ({ task }) => ({ path: `/tasks/${task}`, body: { priority: 'high' } }),
    shows: (objects) => objects.task,
  }),
  createTaskRule('PATCH /tasks/:id', {
    variant: 'assigning a colleague',
    call: ({ task }, _caller, { host }) => ({ path: `/tasks/${task}`, body: { assigneeId: host.userId } }),
    shows: (objects) => objects.task,
  }),
  createTaskRule('PATCH /tasks/:id', {
    variant: 'assigning someone from another workspace',
    expected: oracle.judgeArchivedTaskChange,
    call: ({ task }, _caller, { foreign }) => ({
      path: `/tasks/${task}`,
      body: { assigneeId: foreign.belongings.userId },
    }),
  }),
  createTaskRule('POST /tasks/:id/attachments/presign', {
    call: ({ task }) => ({ path: `/tasks/${task}/attachments/presign`, body: uploadBody }),
  }),
  createTaskRule('POST /tasks/:id/attachments/confirm', {
    call: ({ task, s3Key }) => ({ path: `/tasks/${task}/attachments/confirm`, body: { s3Key } }),
  }),
  createTaskRule('POST /timer/start', {
    scope: 'time:write',
    call: ({ task }) => ({ path: '/timer/start', body: { taskId: task } }),
  }),
  createTaskRule('POST /timer/entries', {
    scope: 'time:write',
    call: ({ task }) => ({
      path: '/timer/entries',
      body: { taskId: task, startTime: ENTRY_START, endTime: '2026-03-02T09:31:00.000Z' },
    }),
    prepare: freeTimeSlot,
  }),
  createTimeEntryRule('PATCH /timer/entries/:id', {
    call: (objects) => ({ path: getEntryPath(objects), body: { startTime: '2026-01-01T00:00:01.000Z' } }),
    shows: ({ belongings }) => belongings.timeEntry,
  }),
  createTaskRule('PATCH /timer/entries/:id', {
    variant: 'to another task',
    scope: 'time:write',
    call: ({ task }, caller) => ({ path: getEntryPath(findOwnObjects(caller)), body: { taskId: task } }),
  }),
  createTimeEntryRule('DELETE /timer/entries/:id', {
    call: (objects) => ({ path: getEntryPath(objects) }),
    prepare: async (objects, { person }, { home }) => ({
      ...objects,
      belongings: { ...objects.belongings, timeEntry: await insertTimeEntry(home, person, objects.task) },
    }),
  }),
  createTaskRule('POST /chunked-upload/init', {
    variant: 'to a task',
    call: ({ task }) => ({ path: '/chunked-upload/init', body: { ...uploadBody, taskId: task } }),
  }),
  createProjectRule('POST /chunked-upload/init', {
    variant: 'to a project',
    scope: 'tasks:write',
    call: ({ project }) => ({ path: '/chunked-upload/init', body: { ...uploadBody, projectId: project } }),
  }),

  createTaskRule('POST /tasks/:id/archive', { call: ({ task }) => ({ path: `/tasks/${task}/archive` }) }),
  ...(
    [
      ['PATCH /tasks/:id', ({ task }) => ({ path: `/tasks/${task}`, body: { name: 'Another' } })],
      [
        'POST /tasks/:id/comments',
        ({ task }) => ({ path: `/tasks/${task}/comments`, body: { content: 'A remark' } }),
      ],
      [
        'POST /tasks/:id/attachments/presign',
        ({ task }) => ({ path: `/tasks/${task}/attachments/presign`, body: uploadBody }),
      ],
      ['POST /timer/start', ({ task }) => ({ path: '/timer/start', body: { taskId: task } })],
      [
        'POST /chunked-upload/init',
        ({ task }) => ({ path: '/chunked-upload/init', body: { ...uploadBody, taskId: task } }),
      ],
    ] as [string, (objects: ObjectSet) => RuleCall][]
  ).map(([route, call]) =>
    createTaskRule(route, {
      variant: 'on an archived task',
      expected: oracle.judgeArchivedTaskChange,
      call,
      ...(route === 'POST /timer/start' && { scope: 'time:write' }),
    }),
  ),
  createTaskRule('POST /tasks/:id/unarchive', { call: ({ task }) => ({ path: `/tasks/${task}/unarchive` }) }),

  createTaskRule('POST /tasks/bulk', {
    expected: oracle.judgeProjectAccess,
    call: ({ project }) => ({
      path: '/tasks/bulk',
      body: { tasks: [{ projectId: project, name: 'A task' }] },
    }),
  }),
  createTaskRule('PATCH /tasks/bulk', {
    call: ({ task }) => ({ path: '/tasks/bulk', body: { updates: [{ id: task, priority: 'high' }] } }),
    shows: (objects) => objects.task,
    read: (body) => body.data[0]?.task?.id,
  }),
  createTaskRule('PATCH /tasks/bulk', {
    variant: 'assigning someone from another workspace',
    expected: oracle.judgeArchivedTaskChange,
    call: ({ task }, _caller, { foreign }) => ({
      path: '/tasks/bulk',
      body: { ids: [task], set: { assigneeId: foreign.belongings.userId } },
    }),
  }),
  createTaskRule('POST /tasks/bulk/archive', {
    call: ({ task }) => ({ path: '/tasks/bulk/archive', body: { ids: [task] } }),
  }),
  createTaskRule('POST /tasks/bulk/unarchive', {
    call: ({ task }) => ({ path: '/tasks/bulk/unarchive', body: { ids: [task] } }),
  }),
  createTaskRule('POST /tasks/bulk/move', {
    // Omits tasks that the actor follows in hidden projects, as for the single move below.
    relations: ['owned', 'joined', 'none', 'foreign', 'missing'],
    call: ({ task, project }) => ({ path: '/tasks/bulk/move', body: { ids: [task], projectId: project } }),
    shows: (objects) => objects.task,
    read: (body) => body.data[0]?.task?.id,
  }),
  createTaskRule('POST /tasks/bulk/delete', {
    expected: oracle.judgeTaskFileRemoval,
    call: ({ task }) => ({ path: '/tasks/bulk/delete', body: { ids: [task] } }),
    prepare: createSpareTask,
  }),
  createTaskRule('POST /tasks/bulk/restore', {
    expected: oracle.judgeTaskRestore,
    call: ({ task }) => ({ path: '/tasks/bulk/restore', body: { ids: [task] } }),
    prepare: deleteSpareTask,
    shows: (objects) => objects.task,
    read: (body) => body.data[0]?.task?.id,
  }),

  createTaskRule('POST /tasks', {
    expected: oracle.judgeProjectAccess,
    call: ({ project }) => ({ path: '/tasks', body: { projectId: project, name: 'A task' } }),
  }),
  ...(['assigneeId', 'categoryId', 'typeId'] as const).map((name) =>
    createTaskRule('POST /tasks', {
      variant: `with the ${name} of another workspace`,
      expected: (actor, relation) => (oracle.seesProject(actor, relation) ? 'refused' : 'hidden'),
      call: ({ project }, _caller, { foreign: { belongings } }) => ({
        path: '/tasks',
        body: {
          projectId: project,
          name: 'A task',
          [name]: { assigneeId: belongings.userId, categoryId: belongings.category, typeId: belongings.type }[
            name
          ],
        },
      }),
    }),
  ),
  createTaskRule('POST /tasks', {
    variant: 'from a template of another workspace',
    // Omits projects that the actor hasn't joined, because errors about them contain the project's name.
    relations: ['owned', 'joined'],
    expected: () => 'hidden',
    call: ({ project }, _caller, { foreign: { belongings } }) => ({
      path: '/tasks',
      body: { projectId: project, templateId: belongings.template },
    }),
  }),
  createTaskRule('POST /tasks/:id/move', {
    // Omits tasks that the actor follows in hidden projects, because errors about them contain the project's name.
    // test/tasks/moving covers these tasks.
    relations: ['owned', 'joined', 'none', 'foreign', 'missing'],
    call: ({ task, project }) => ({ path: `/tasks/${task}/move`, body: { projectId: project } }),
    shows: (objects) => objects.task,
  }),
  createTaskRule('DELETE /tasks/:id', {
    expected: oracle.judgeTaskFileRemoval,
    call: ({ task }) => ({ path: `/tasks/${task}` }),
    prepare: createSpareTask,
  }),
  createTaskRule('POST /tasks/:id/restore', {
    expected: oracle.judgeTaskRestore,
    call: ({ task }) => ({ path: `/tasks/${task}/restore` }),
    prepare: deleteSpareTask,
    shows: (objects) => objects.task,
  }),
  createUnnamedRule('GET /tasks/trash', 'tasks:read'),
  createTaskRule('POST /tasks/:id/duplicate', {
    expected: oracle.judgeTaskCopy,
    call: ({ task }) => ({ path: `/tasks/${task}/duplicate` }),
  }),
  createTaskRule('POST /tasks/:id/comments', {
    call: ({ task }) => ({ path: `/tasks/${task}/comments`, body: { content: 'A remark' } }),
  }),
  createTaskRule('GET /tasks/:id/checklist', { call: ({ task }) => ({ path: `/tasks/${task}/checklist` }) }),
  createTaskRule('PUT /tasks/:id/checklist', {
    call: ({ task }) => ({ path: `/tasks/${task}/checklist`, body: { items: [{ text: 'A line' }] } }),
  }),
  createTaskRule('POST /tasks/:id/checklist/items', {
    call: ({ task }) => ({ path: `/tasks/${task}/checklist/items`, body: { text: 'A line' } }),
  }),
  ...(['PATCH', 'DELETE'] as const).map((method) =>
    createTaskRule(`${method} /tasks/:id/checklist/items/:itemId`, {
      call: ({ task, line }) => ({
        path: `/tasks/${task}/checklist/items/${line}`,
        ...(method === 'PATCH' && { body: { isDone: true } }),
      }),
      prepare: addChecklistItem,
    }),
  ),
  createTaskRule('POST /tasks/:id/checklist/items/:itemId/convert', {
    expected: oracle.judgeTaskCopy,
    call: ({ task, line = 1 }) => ({ path: `/tasks/${task}/checklist/items/${line}/convert` }),
    prepare: addChecklistItem,
  }),
  createTaskRule('GET /tasks/:id/reminders', { call: ({ task }) => ({ path: `/tasks/${task}/reminders` }) }),
  createTaskRule('PUT /tasks/:id/reminders', {
    call: ({ task }) => ({ path: `/tasks/${task}/reminders`, body: { items: [{ minutesBefore: 30 }] } }),
  }),
  createTaskRule('PUT /tasks/:id/recurrence', {
    call: ({ task }) => ({
      path: `/tasks/${task}/recurrence`,
      body: { rule: 'FREQ=DAILY', mode: 'schedule' },
    }),
  }),
  ...(['GET', 'DELETE'] as const).map((method) =>
    createTaskRule(`${method} /tasks/:id/recurrence`, {
      call: ({ task }) => ({ path: `/tasks/${task}/recurrence` }),
      prepare: addRecurrenceToDraft,
    }),
  ),
  createTaskRule('GET /tasks/:id/relations', {
    call: ({ task }) => ({ path: `/tasks/${task}/relations` }),
  }),
  createTaskRule('POST /tasks/:id/relations', {
    call: ({ task, related = 0 }) => ({
      path: `/tasks/${task}/relations`,
      body: { type: 'relates_to', taskId: related },
    }),
    prepare: addRelatedTask(false),
  }),
  createTaskRule('POST /tasks/:id/relations', {
    variant: 'with a task of another workspace',
    relations: ['foreign', 'missing'],
    expected: () => 'hidden',
    call: ({ task }, _caller, { hostObjects }) => ({
      path: `/tasks/${hostObjects.task}/relations`,
      body: { type: 'relates_to', taskId: task },
    }),
  }),
  createTaskRule('DELETE /tasks/:id/relations/:relationId', {
    call: ({ task, taskRelation = 1 }) => ({ path: `/tasks/${task}/relations/${taskRelation}` }),
    prepare: addRelatedTask(true),
  }),
  createTaskRule('POST /tasks/:id/subtasks/order', {
    call: ({ task, subtask = 0 }) => ({ path: `/tasks/${task}/subtasks/order`, body: { ids: [subtask] } }),
    prepare: addSubtask,
    read: ({ data }) => (data as { id: number }[])[0]?.id,
  }),
  createTaskRule('POST /tasks/:id/comments', {
    variant: 'in reply to a comment on another task',
    relations: ['foreign', 'missing'],
    expected: () => 'hidden',
    call: ({ task }, _caller, { hostObjects }) => ({
      path: `/tasks/${task}/comments`,
      body: { content: 'A reply', parentId: hostObjects.comment },
    }),
  }),
  createTaskRule('PATCH /tasks/:id/comments/:commentId', {
    variant: 'of a colleague',
    expected: oracle.judgeForeignCommentChange,
    call: (objects) => ({ path: getCommentPath(objects), body: { content: 'Another remark' } }),
  }),
  createTaskRule('PATCH /tasks/:id/comments/:commentId', {
    variant: 'of their own',
    expected: (actor, relation) => (oracle.seesTask(actor, relation) ? 'ok' : 'hidden'),
    call: (objects) => ({ path: getCommentPath(objects), body: { content: 'Another remark' } }),
    prepare: (objects, { bound }) => addComment(objects, bound),
    shows: (objects) => objects.comment,
  }),
  ...(['PATCH', 'DELETE'] as const).map((method) =>
    createTaskRule(`${method} /tasks/:id/comments/:commentId`, {
      variant: 'of another task',
      expected: () => 'hidden',
      call: ({ task }, _caller, { hostObjects }) => ({
        path: `/tasks/${task}/comments/${hostObjects.comment}`,
        ...(method === 'PATCH' && { body: { content: 'Another remark' } }),
      }),
      // Omits visible tasks, because their errors contain the task's name, unlike the errors for missing tasks.
      relations: ['foreign', 'missing'],
    }),
  ),
  ...(['PUT', 'DELETE'] as const).flatMap((method) => [
    createTaskRule(`${method} /tasks/:id/comments/:commentId/reactions/:reaction`, {
      call: (objects) => ({ path: `${getCommentPath(objects)}/reactions/heart` }),
    }),
    createTaskRule(`${method} /tasks/:id/comments/:commentId/reactions/:reaction`, {
      variant: 'to a comment of another task',
      expected: () => 'hidden',
      relations: ['foreign', 'missing'],
      call: ({ task }, _caller, { hostObjects }) => ({
        path: `/tasks/${task}/comments/${hostObjects.comment}/reactions/heart`,
      }),
    }),
  ]),
  createTaskRule('DELETE /tasks/:id/comments/:commentId', {
    variant: 'of their own',
    call: (objects) => ({ path: getCommentPath(objects) }),
    prepare: (objects, { bound }) => addComment(objects, bound),
  }),
  createTaskRule('DELETE /tasks/:id/comments/:commentId', {
    variant: 'of a colleague',
    expected: oracle.judgeCommentRemoval,
    call: (objects) => ({ path: getCommentPath(objects) }),
    prepare: (objects, _caller, { host }) => addComment(objects, host),
  }),

  createUnnamedRule('GET /templates', 'projects:read'),
  {
    ...createUnnamedRule('GET /imports', 'tasks:read'),
    expected: ({ role }) => (role === 'owner' || role === 'admin' ? 'ok' : 'forbidden'),
  },
  {
    ...createUnnamedRule('POST /imports', 'tasks:write'),
    expected: oracle.judgeImportCreation,
    call: ({ project, projectFile }) => ({
      path: '/imports',
      body: { projectId: project, attachmentId: projectFile },
    }),
    prepare: async (objects, _caller, { home, host }) => ({
      ...objects,
      projectFile: await addCsvFile(home, host, objects.project),
    }),
  },
  {
    ...createUnnamedRule('GET /exports', EXPORT_SCOPES),
  },
  createExportRule('GET /exports/:id', {
    shows: ({ belongings }) => belongings.export,
  }),
  createExportRule('DELETE /exports/:id', {
    prepare: async (objects, _caller, { home, host }) => ({
      ...objects,
      belongings: {
        ...objects.belongings,
        export: await insertExport(home, host, { status: 'completed' }),
      },
    }),
  }),
  // Deletes the exports that the rules above need.
  {
    ...createUnnamedRule('POST /exports', EXPORT_SCOPES, {}),
    expected: ({ role }) => (role === 'owner' || role === 'admin' ? 'ok' : 'forbidden'),
    prepare: clearExports,
  },
  {
    ...createUnnamedRule('POST /exports', EXPORT_SCOPES, { contents: 'own' }),
    variant: 'of their own data',
    prepare: clearExports,
  },
  createImportRule('GET /imports/:id', { shows: ({ belongings }) => belongings.import }),
  createImportRule('PATCH /imports/:id', { prepare: (objects) => setImportStatus(objects, 'ready') }),
  // Starts an import that is already running, because tasks from a new run would appear in other rules' lists.
  createImportRule('POST /imports/:id/start', { prepare: (objects) => setImportStatus(objects, 'running') }),
  createImportRule('POST /imports/:id/cancel', { prepare: (objects) => setImportStatus(objects, 'running') }),
  createUnnamedRule('GET /meetings', 'tasks:read'),
  createMeetingRule('GET /meetings/:id', {
    call: (objects) => ({ path: `/meetings/${objects.meeting}` }),
    shows: (objects) => objects.meeting,
  }),
  createMeetingRule('PATCH /meetings/:id', {
    expected: oracle.judgeMeetingMove,
    call: (objects) => ({ path: `/meetings/${objects.meeting}`, body: { location: 'Room 4' } }),
  }),
  createMeetingRule('POST /meetings', {
    expected: oracle.judgeMeetingCreation,
    call: (objects, caller) => ({ path: '/meetings', body: buildMeeting(objects, caller) }),
  }),
  createMeetingRule('POST /meetings', {
    variant: 'that recurs',
    expected: oracle.judgeRecurringMeetingCreation,
    call: (objects, caller) => ({
      path: '/meetings',
      body: { ...buildMeeting(objects, caller), recurrence: 'FREQ=WEEKLY' },
    }),
  }),
  createMeetingRule('POST /meetings', {
    variant: 'with someone from another workspace',
    expected: oracle.judgeOutsiderInvitation,
    call: (objects, caller, { foreign }) => ({
      path: '/meetings',
      body: {
        ...buildMeeting(objects, caller),
        participantIds: [caller.person.userId, foreign.belongings.userId],
      },
    }),
  }),
  createMeetingRule('DELETE /meetings/:id', {
    expected: oracle.judgeMeetingCancellation,
    call: (objects) => ({ path: `/meetings/${objects.meeting}` }),
    prepare: restoreMeeting,
  }),

  createUnnamedRule('GET /notifications', 'notifications:read'),
  createUnnamedRule('GET /notifications/count', 'notifications:read'),
  createOwnRule('PUT /notifications/:id/read', 'notifications:write', {
    call: ({ belongings }) => ({ path: `/notifications/${belongings.notification}/read` }),
    shows: ({ belongings }) => belongings.notification,
  }),
  createOwnRule('DELETE /notifications/:id', 'notifications:write', {
    call: ({ belongings }) => ({ path: `/notifications/${belongings.notification}` }),
    prepare: async (objects, { person }, { home }) => ({
      ...objects,
      belongings: { ...objects.belongings, notification: await insertNotification(home, person) },
    }),
  }),
  createUnnamedRule('PUT /notifications/read-all', 'notifications:write'),

  createUnnamedRule('GET /events', 'events:read'),

  createUnnamedRule('GET /webhooks', 'webhooks:write'),
  {
    ...createUnnamedRule('GET /audit', 'audit:read'),
    expected: ({ role }) => (role === 'owner' || role === 'admin' ? 'ok' : 'forbidden'),
  },
  {
    ...createUnnamedRule('POST /webhooks', WEBHOOK_SCOPES, { url: 'https://hooks.example.com/' }),
    expected: ({ role }) => (role === 'client' ? 'forbidden' : 'ok'),
  },
  createWebhookRule('GET /webhooks/:id', oracle.judgeWebhookAccess, {
    shows: ({ belongings }) => belongings.webhook,
  }),
  createWebhookRule('GET /webhooks/:id/deliveries', oracle.judgeWebhookAccess),
  createWebhookRule('PATCH /webhooks/:id', oracle.judgeWebhookAccess, {
    variant: 'to pause it',
    call: (objects) => ({ path: getWebhookPath(objects), body: { status: 'paused' } }),
  }),
  createWebhookRule('PATCH /webhooks/:id', oracle.judgeWebhookChange, {
    variant: 'to change its URL',
    call: (objects) => ({ path: getWebhookPath(objects), body: { url: 'https://elsewhere.example.com/' } }),
  }),
  createWebhookRule('POST /webhooks/:id/rotate-secret', oracle.judgeWebhookChange),
  createWebhookRule('POST /webhooks/:id/test', oracle.judgeWebhookChange),
  createWebhookRule('POST /webhooks/:id/replay', oracle.judgeWebhookChange, {
    call: (objects) => ({ path: `${getWebhookPath(objects)}/replay`, body: { after: 0 } }),
  }),
  createWebhookRule('DELETE /webhooks/:id', oracle.judgeWebhookAccess, {
    prepare: async (objects, { actor, person }, { home, host }) => {
      const webhook = await insertWebhook(
        home,
        objects.relation === 'owned' && actor.isBoundHere ? person : host,
      );
      return { ...objects, belongings: { ...objects.belongings, webhook } };
    },
  }),

  ...['stats', 'tasks', 'comments', 'workload'].map((name) =>
    createUnnamedRule(`GET /dashboard/${name}`, 'dashboard:read'),
  ),
  ...['current', 'entries', 'stats'].map((name) => createUnnamedRule(`GET /timer/${name}`, 'time:read')),
  {
    ...createUnnamedRule('POST /timer/stop', 'time:write'),
    prepare: async (objects, { bound, actor, objectSets }, { foreign }) => {
      const joined = objectSets.find((each) => each.relation === 'joined') as ObjectSet;
      const taskId = actor.isBoundHere ? joined.task : foreign.task;
      await api(bound.token).post('/timer/start', { taskId });
      return objects;
    },
  },

  createSessionRule('GET /chunked-upload/status/:sessionId', {
    call: ({ belongings }) => ({ path: `/chunked-upload/status/${belongings.open}` }),
  }),
  createSessionRule('POST /chunked-upload/chunk/:sessionId/:partNumber', {
    call: ({ belongings }) => ({
      path: `/chunked-upload/chunk/${belongings.open}/1`,
      body: 'hello',
      headers: { 'Content-Type': 'application/octet-stream', 'Content-Length': '5' },
    }),
  }),
  createSessionRule('POST /chunked-upload/complete/:sessionId', {
    call: ({ belongings }) => ({ path: `/chunked-upload/complete/${belongings.filled}` }),
  }),
  createSessionRule('POST /chunked-upload/abort/:sessionId', {
    call: ({ belongings }) => ({ path: `/chunked-upload/abort/${belongings.aborted}` }),
  }),
  createSessionRule('DELETE /chunked-upload/:sessionId', {
    call: ({ belongings }) => ({ path: `/chunked-upload/${belongings.aborted}` }),
  }),
];

/** Ids that don't exist. They are all different, so that each can be replaced in a response. */
export const MISSING: ObjectSet = {
  relation: 'missing',
  project: 900_000_001,
  task: 900_000_002,
  meeting: 900_000_003,
  meetingTask: 900_000_011,
  comment: 900_000_004,
  taskFile: 900_000_005,
  projectFile: 900_000_006,
  s3Key: 'missing-key',
  belongings: {
    userId: 'usr_missing',
    workspaceId: 'ws_missing',
    category: 900_000_007,
    type: 900_000_008,
    notification: 900_000_009,
    app: 900_000_010,
    webhook: 900_000_012,
    timeEntry: 900_000_013,
    template: 900_000_014,
    import: 900_000_015,
    export: 900_000_016,
    open: 'missing-session-1',
    filled: 'missing-session-2',
    aborted: 'missing-session-3',
  },
};
