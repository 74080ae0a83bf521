// Long because one table contains the rules of all operations. Read it next to docs/contract.md.
import { api } from '../../support/api.ts';
import { cellOf } from '../../support/env.ts';
import type { Person } from '../../support/world.ts';
import { insertWebhook } from '../../webhooks/operations/insert-webhook.ts';
import type { Body } from './comparison.ts';
import type { Actor, Outcome, Relation } from './oracle.ts';
import * as oracle from './oracle.ts';
import { type Cast, DAY, insertFile, insertTimeEntry, notify, type Place, type Stage } from './world.ts';

interface Call {
  readonly path: string;
  readonly body?: Record<string, unknown> | string;
  readonly headers?: Record<string, string>;
}

/** One way to use an operation, and what the oracle expects. */
export interface Rule {
  /** `METHOD /path`, as in the registry. */
  readonly route: string;
  /** Distinguishes the rules of an operation that has several. */
  readonly variant?: string;
  readonly scope: string;
  readonly relations: readonly Relation[];
  readonly expected: (actor: Actor, relation: Relation) => Outcome;
  readonly call: (place: Place, cast: Cast, stage: Stage) => Call;
  /** Creates the data that a successful request uses up. */
  readonly prepare?: (place: Place, cast: Cast, stage: Stage) => Promise<Place>;
  /** The id that a successful response must contain. */
  readonly shows?: (place: Place) => unknown;
  /** Reads the id from the response. By default, it is `id`. */
  readonly read?: (body: Body) => unknown;
}

const everywhere: readonly Relation[] = [
  'owned',
  'joined',
  'creator',
  'follower',
  'assignee',
  'none',
  'foreign',
  'missing',
];
const personal: readonly Relation[] = ['owned', 'none', 'foreign', 'missing'];
const sharedByAll: readonly Relation[] = ['none', 'foreign', 'missing'];
const file = { fileName: 'a.txt', fileType: 'text/plain', fileSize: 5 };
const meeting = (place: Place, cast: Cast) => ({
  projectId: place.project,
  name: 'A meeting',
  date: DAY,
  time: '10:00',
  participantIds: [cast.person.userId],
});

type OnObject = Pick<Rule, 'call'> & Partial<Rule>;
const onTask = (route: string, rule: OnObject): Rule => ({
  route,
  scope: route.startsWith('GET') ? 'tasks:read' : 'tasks:write',
  relations: everywhere,
  expected: oracle.onTask,
  ...rule,
});
const onProject = (route: string, rule: OnObject): Rule => ({
  route,
  scope: 'projects:read',
  relations: everywhere,
  expected: oracle.onProject,
  ...rule,
});
const onMeeting = (route: string, rule: OnObject): Rule =>
  onTask(route, { expected: oracle.onMeeting, ...rule });
/** A rule for things that only their owner can see. */
const onOwn = (route: string, scope: string, rule: OnObject): Rule => ({
  route,
  scope,
  relations: personal,
  expected: (_actor, relation) => (relation === 'owned' ? 'ok' : 'hidden'),
  ...rule,
});
/** A rule for things that the workspace shares with all roles. */
const onShared = (route: string, scope: string, rule: OnObject): Rule => ({
  route,
  scope,
  relations: sharedByAll,
  expected: ({ isBoundHere }, relation) => (isBoundHere && relation === 'none' ? 'ok' : 'hidden'),
  ...rule,
});
/** A rule for operations that name no object. The test of lists compares their contents. */
const onNothing = (route: string, scope: string, body?: Record<string, unknown>): Rule => ({
  route,
  scope,
  relations: ['none'],
  expected: () => 'ok',
  call: () => ({ path: route.split(' ')[1] as string, ...(body && { body }) }),
});
/** An upload session belongs to its creator, within the workspace of the upload. */
const onSession = (route: string, rule: OnObject): Rule =>
  onOwn(route, route.startsWith('GET') ? 'tasks:read' : 'tasks:write', {
    expected: ({ isBoundHere }, relation) => (isBoundHere && relation === 'owned' ? 'ok' : 'hidden'),
    ...rule,
  });

const commentPath = ({ task, comment }: Place) => `/tasks/${task}/comments/${comment}`;
/** A webhook that receives events also needs the scope to read them. */
const WEBHOOK_SCOPES = 'webhooks:write events:read';
const webhookPath = ({ belongings }: Place) => `/webhooks/${belongings.webhook}`;
const onWebhook = (route: string, expected: Rule['expected'], rule: Partial<Rule> = {}): Rule => ({
  route,
  scope: /^(GET|DELETE) /.test(route) ? 'webhooks:write' : WEBHOOK_SCOPES,
  relations: personal,
  expected,
  call: (place) => ({ path: webhookPath(place) + (route.split('/:id')[1] ?? '') }),
  ...rule,
});

/** A time entry belongs to the person who worked, within the workspace of the task. */
const onTimeEntry = (route: string, rule: OnObject): Rule =>
  onOwn(route, 'time:write', {
    expected: ({ isBoundHere }, relation) => (isBoundHere && relation === 'owned' ? 'ok' : 'hidden'),
    ...rule,
  });
const entryPath = ({ belongings }: Place) => `/timer/entries/${belongings.timeEntry}`;
const ownOf = ({ places }: Cast) => places.find(({ relation }) => relation === 'owned') as Place;
const WORKED = '2026-03-02T09:30:00.000Z';
/** Time entries can't overlap, so the entry of the last successful request is deleted. */
const freeTime = async (place: Place, { bound }: Cast) => {
  await cellOf(0)
    .prepare('DELETE FROM time_entries WHERE member = ? AND started_at = ?')
    .bind(bound.member, Date.parse(WORKED))
    .run();
  return place;
};

/** Adds a new comment by this person to the task. */
const withRemark = async (place: Place, author: Person): Promise<Place> => {
  const answer = await api(author.token).post(`/tasks/${place.task}/comments`, { content: 'A remark' });
  return { ...place, comment: answer.body.id };
};

const restoreMeeting = async (place: Place, { bound }: Cast) => {
  await cellOf(0).prepare('UPDATE meetings SET cancelled_at = NULL WHERE id = ?').bind(place.meeting).run();
  await cellOf(0)
    .prepare('UPDATE credentials SET revoked_at = NULL WHERE member = ?')
    .bind(bound.member)
    .run();
  return place;
};

/** The order matters: no rule uses up anything that a later rule needs. */
export const rules: readonly Rule[] = [
  onNothing('GET /me', 'profile:read'),
  onNothing('POST /auth/refresh', 'session'),
  onNothing('GET /workspaces', 'session'),
  {
    route: 'POST /workspaces/:id/switch',
    scope: 'session',
    relations: sharedByAll,
    // The visitor is in both workspaces and can switch to the other one.
    expected: (_actor, relation) => (relation === 'none' ? 'ok' : 'hidden'),
    call: ({ belongings }) => ({ path: `/workspaces/${belongings.workspaceId}/switch` }),
  },
  onNothing('GET /connected-apps', 'session'),
  onNothing('POST /connected-apps/api-keys', 'session', { name: 'A key' }),
  onOwn('DELETE /connected-apps/:id', 'session', {
    call: ({ belongings }) => ({ path: `/connected-apps/${belongings.app}` }),
    prepare: restoreMeeting,
  }),

  onNothing('GET /projects', 'projects:read'),
  onProject('GET /projects/:id', {
    call: ({ project }) => ({ path: `/projects/${project}?expand=members` }),
    shows: (place) => place.project,
  }),
  onProject('GET /projects/:id/members', {
    call: ({ project }) => ({ path: `/projects/${project}/members` }),
  }),
  onProject('GET /projects/:id/attachments', {
    scope: 'tasks:read',
    call: ({ project }) => ({ path: `/projects/${project}/attachments` }),
  }),
  onProject('GET /projects/:id/attachments/:attachmentId/download', {
    scope: 'tasks:read',
    call: ({ project, projectFile }) => ({
      path: `/projects/${project}/attachments/${projectFile}/download`,
    }),
  }),
  onProject('GET /projects/:id/attachments/:attachmentId/download', {
    variant: 'of a file on a task',
    scope: 'tasks:read',
    expected: () => 'hidden',
    call: ({ project, taskFile }) => ({ path: `/projects/${project}/attachments/${taskFile}/download` }),
  }),

  onProject('DELETE /projects/:id/attachments/:attachmentId', {
    scope: 'tasks:write',
    expected: oracle.removingOfProject,
    call: ({ project, projectFile }) => ({ path: `/projects/${project}/attachments/${projectFile}` }),
    prepare: async (place, _cast, { home, host }) => ({
      ...place,
      projectFile: await insertFile(home, host, { project: place.project }),
    }),
  }),

  ...['/task-statuses', '/project-statuses'].flatMap((path): Rule[] => [
    onNothing(`GET ${path}`, 'projects:read'),
    {
      route: `GET ${path}/:id`,
      scope: 'projects:read',
      relations: ['none', 'missing'],
      expected: (_actor, relation) => (relation === 'none' ? 'ok' : 'hidden'),
      call: ({ relation }) => ({ path: `${path}/${relation === 'missing' ? MISSING.project : 1}` }),
    },
  ]),
  ...['/task-categories', '/task-types', '/users', '/teams'].map((path) =>
    onNothing(`GET ${path}`, 'projects:read'),
  ),
  onShared('GET /task-categories/:id', 'projects:read', {
    call: ({ belongings }) => ({ path: `/task-categories/${belongings.category}` }),
    shows: ({ belongings }) => belongings.category,
  }),
  onShared('GET /task-types/:id', 'projects:read', {
    call: ({ belongings }) => ({ path: `/task-types/${belongings.type}` }),
    shows: ({ belongings }) => belongings.type,
  }),
  onShared('GET /users/:id', 'projects:read', {
    call: ({ belongings }) => ({ path: `/users/${belongings.userId}` }),
    shows: ({ belongings }) => belongings.userId,
  }),

  onNothing('GET /tasks', 'tasks:read'),
  onTask('GET /tasks/:id', {
    call: ({ task }) => ({ path: `/tasks/${task}` }),
    shows: (place) => place.task,
  }),
  onTask('GET /tasks/:id/activities', { call: ({ task }) => ({ path: `/tasks/${task}/activities` }) }),
  onTask('GET /tasks/:id/comments', { call: ({ task }) => ({ path: `/tasks/${task}/comments` }) }),
  onTask('GET /tasks/:id/attachments', { call: ({ task }) => ({ path: `/tasks/${task}/attachments` }) }),
  onTask('GET /tasks/:id/attachments/:attachmentId/download', {
    call: ({ task, taskFile }) => ({ path: `/tasks/${task}/attachments/${taskFile}/download` }),
  }),
  onTask('GET /tasks/:id/attachments/:attachmentId/download', {
    variant: 'of a file in its project',
    expected: () => 'hidden',
    call: ({ task, projectFile }) => ({ path: `/tasks/${task}/attachments/${projectFile}/download` }),
  }),
  onTask('DELETE /tasks/:id/attachments/:attachmentId', {
    expected: oracle.removing,
    call: ({ task, taskFile }) => ({ path: `/tasks/${task}/attachments/${taskFile}` }),
    prepare: async (place, _cast, { home, host }) => ({
      ...place,
      taskFile: await insertFile(home, host, { task: place.task }),
    }),
  }),
  onTask('PATCH /tasks/:id', {
    call: ({ task }) => ({ path: `/tasks/${task}`, body: { priority: 'high' } }),
    shows: (place) => place.task,
  }),
  onTask('PATCH /tasks/:id', {
    variant: 'assigning a colleague',
    call: ({ task }, _cast, { host }) => ({ path: `/tasks/${task}`, body: { assigneeId: host.userId } }),
    shows: (place) => place.task,
  }),
  onTask('PATCH /tasks/:id', {
    variant: 'assigning someone from another workspace',
    expected: oracle.onArchivedTask,
    call: ({ task }, _cast, { foreign }) => ({
      path: `/tasks/${task}`,
      body: { assigneeId: foreign.belongings.userId },
    }),
  }),
  onTask('POST /tasks/:id/attachments/presign', {
    call: ({ task }) => ({ path: `/tasks/${task}/attachments/presign`, body: file }),
  }),
  onTask('POST /tasks/:id/attachments/confirm', {
    call: ({ task, s3Key }) => ({ path: `/tasks/${task}/attachments/confirm`, body: { s3Key } }),
  }),
  onTask('POST /timer/start', {
    scope: 'time:write',
    call: ({ task }) => ({ path: '/timer/start', body: { taskId: task } }),
  }),
  onTask('POST /timer/entries', {
    scope: 'time:write',
    call: ({ task }) => ({
      path: '/timer/entries',
      body: { taskId: task, startTime: WORKED, endTime: '2026-03-02T09:31:00.000Z' },
    }),
    prepare: freeTime,
  }),
  onTimeEntry('PATCH /timer/entries/:id', {
    call: (place) => ({ path: entryPath(place), body: { startTime: '2026-01-01T00:00:01.000Z' } }),
    shows: ({ belongings }) => belongings.timeEntry,
  }),
  onTask('PATCH /timer/entries/:id', {
    variant: 'to another task',
    scope: 'time:write',
    call: ({ task }, cast) => ({ path: entryPath(ownOf(cast)), body: { taskId: task } }),
  }),
  onTimeEntry('DELETE /timer/entries/:id', {
    call: (place) => ({ path: entryPath(place) }),
    prepare: async (place, { person }, { home }) => ({
      ...place,
      belongings: { ...place.belongings, timeEntry: await insertTimeEntry(home, person, place.task) },
    }),
  }),
  onTask('POST /chunked-upload/init', {
    variant: 'to a task',
    call: ({ task }) => ({ path: '/chunked-upload/init', body: { ...file, taskId: task } }),
  }),
  onProject('POST /chunked-upload/init', {
    variant: 'to a project',
    scope: 'tasks:write',
    call: ({ project }) => ({ path: '/chunked-upload/init', body: { ...file, projectId: project } }),
  }),

  onTask('POST /tasks/:id/archive', { call: ({ task }) => ({ path: `/tasks/${task}/archive` }) }),
  ...(
    [
      ['PATCH /tasks/:id', ({ task }) => ({ path: `/tasks/${task}`, body: { name: 'Another' } })],
      [
        'POST /tasks/:id/comments',
        ({ task }) => ({ path: `/tasks/${task}/comments`, body: { content: 'A remark' } }),
      ],
      [
        'POST /tasks/:id/attachments/presign',
        ({ task }) => ({ path: `/tasks/${task}/attachments/presign`, body: file }),
      ],
      ['POST /timer/start', ({ task }) => ({ path: '/timer/start', body: { taskId: task } })],
      [
        'POST /chunked-upload/init',
        ({ task }) => ({ path: '/chunked-upload/init', body: { ...file, taskId: task } }),
      ],
    ] as [string, (place: Place) => Call][]
  ).map(([route, call]) =>
    onTask(route, {
      variant: 'on an archived task',
      expected: oracle.onArchivedTask,
      call,
      ...(route === 'POST /timer/start' && { scope: 'time:write' }),
    }),
  ),
  onTask('POST /tasks/:id/unarchive', { call: ({ task }) => ({ path: `/tasks/${task}/unarchive` }) }),

  onTask('POST /tasks/bulk', {
    expected: oracle.onProject,
    call: ({ project }) => ({
      path: '/tasks/bulk',
      body: { tasks: [{ projectId: project, name: 'A task' }] },
    }),
  }),
  onTask('PATCH /tasks/bulk', {
    call: ({ task }) => ({ path: '/tasks/bulk', body: { updates: [{ id: task, priority: 'high' }] } }),
    shows: (place) => place.task,
    read: (body) => body.data[0]?.task?.id,
  }),
  onTask('PATCH /tasks/bulk', {
    variant: 'assigning someone from another workspace',
    expected: oracle.onArchivedTask,
    call: ({ task }, _cast, { foreign }) => ({
      path: '/tasks/bulk',
      body: { ids: [task], set: { assigneeId: foreign.belongings.userId } },
    }),
  }),
  onTask('POST /tasks/bulk/archive', {
    call: ({ task }) => ({ path: '/tasks/bulk/archive', body: { ids: [task] } }),
  }),
  onTask('POST /tasks/bulk/unarchive', {
    call: ({ task }) => ({ path: '/tasks/bulk/unarchive', body: { ids: [task] } }),
  }),

  onTask('POST /tasks', {
    expected: oracle.onProject,
    call: ({ project }) => ({ path: '/tasks', body: { projectId: project, name: 'A task' } }),
  }),
  ...(['assigneeId', 'categoryId', 'typeId'] as const).map((name) =>
    onTask('POST /tasks', {
      variant: `with the ${name} of another workspace`,
      expected: (actor, relation) => (oracle.seesProject(actor, relation) ? 'refused' : 'hidden'),
      call: ({ project }, _cast, { foreign: { belongings } }) => ({
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
  onTask('POST /tasks/:id/duplicate', {
    expected: oracle.duplicating,
    call: ({ task }) => ({ path: `/tasks/${task}/duplicate` }),
  }),
  onTask('POST /tasks/:id/comments', {
    call: ({ task }) => ({ path: `/tasks/${task}/comments`, body: { content: 'A remark' } }),
  }),
  onTask('PATCH /tasks/:id/comments/:commentId', {
    variant: 'of a colleague',
    expected: oracle.onForeignComment,
    call: (place) => ({ path: commentPath(place), body: { content: 'Another remark' } }),
  }),
  onTask('PATCH /tasks/:id/comments/:commentId', {
    variant: 'of their own',
    expected: (actor, relation) => (oracle.seesTask(actor, relation) ? 'ok' : 'hidden'),
    call: (place) => ({ path: commentPath(place), body: { content: 'Another remark' } }),
    prepare: (place, { bound }) => withRemark(place, bound),
    shows: (place) => place.comment,
  }),
  ...(['PATCH', 'DELETE'] as const).map((method) =>
    onTask(`${method} /tasks/:id/comments/:commentId`, {
      variant: 'of another task',
      expected: () => 'hidden',
      call: ({ task }, _cast, { ground }) => ({
        path: `/tasks/${task}/comments/${ground.comment}`,
        ...(method === 'PATCH' && { body: { content: 'Another remark' } }),
      }),
      // The error names the task, so it differs for tasks that the actor can't see.
      relations: ['foreign', 'missing'],
    }),
  ),
  onTask('DELETE /tasks/:id/comments/:commentId', {
    variant: 'of their own',
    call: (place) => ({ path: commentPath(place) }),
    prepare: (place, { bound }) => withRemark(place, bound),
  }),
  onTask('DELETE /tasks/:id/comments/:commentId', {
    variant: 'of a colleague',
    expected: oracle.removingComment,
    call: (place) => ({ path: commentPath(place) }),
    prepare: (place, _cast, { host }) => withRemark(place, host),
  }),

  onNothing('GET /meetings', 'tasks:read'),
  onMeeting('GET /meetings/:id', {
    call: (place) => ({ path: `/meetings/${place.meeting}` }),
    shows: (place) => place.meeting,
  }),
  onMeeting('PATCH /meetings/:id', {
    expected: oracle.moving,
    call: (place) => ({ path: `/meetings/${place.meeting}`, body: { location: 'Room 4' } }),
  }),
  onMeeting('POST /meetings', {
    expected: oracle.planning,
    call: (place, cast) => ({ path: '/meetings', body: meeting(place, cast) }),
  }),
  onMeeting('POST /meetings', {
    variant: 'that recurs',
    expected: oracle.repeating,
    call: (place, cast) => ({
      path: '/meetings',
      body: { ...meeting(place, cast), recurrence: 'FREQ=WEEKLY' },
    }),
  }),
  onMeeting('POST /meetings', {
    variant: 'with someone from another workspace',
    expected: oracle.invitingStrangers,
    call: (place, cast, { foreign }) => ({
      path: '/meetings',
      body: { ...meeting(place, cast), participantIds: [cast.person.userId, foreign.belongings.userId] },
    }),
  }),
  onMeeting('DELETE /meetings/:id', {
    expected: oracle.cancelling,
    call: (place) => ({ path: `/meetings/${place.meeting}` }),
    prepare: restoreMeeting,
  }),

  onNothing('GET /notifications', 'notifications:read'),
  onNothing('GET /notifications/count', 'notifications:read'),
  onOwn('PUT /notifications/:id/read', 'notifications:write', {
    call: ({ belongings }) => ({ path: `/notifications/${belongings.notification}/read` }),
    shows: ({ belongings }) => belongings.notification,
  }),
  onOwn('DELETE /notifications/:id', 'notifications:write', {
    call: ({ belongings }) => ({ path: `/notifications/${belongings.notification}` }),
    prepare: async (place, { person }, { home }) => ({
      ...place,
      belongings: { ...place.belongings, notification: await notify(home, person) },
    }),
  }),
  onNothing('PUT /notifications/read-all', 'notifications:write'),

  onNothing('GET /events', 'events:read'),

  onNothing('GET /webhooks', 'webhooks:write'),
  {
    ...onNothing('POST /webhooks', WEBHOOK_SCOPES, { url: 'https://hooks.example.com/' }),
    expected: ({ role }) => (role === 'client' ? 'forbidden' : 'ok'),
  },
  onWebhook('GET /webhooks/:id', oracle.seeingWebhook, { shows: ({ belongings }) => belongings.webhook }),
  onWebhook('GET /webhooks/:id/deliveries', oracle.seeingWebhook),
  onWebhook('PATCH /webhooks/:id', oracle.seeingWebhook, {
    variant: 'to pause it',
    call: (place) => ({ path: webhookPath(place), body: { status: 'paused' } }),
  }),
  onWebhook('PATCH /webhooks/:id', oracle.changingWebhook, {
    variant: 'to change its URL',
    call: (place) => ({ path: webhookPath(place), body: { url: 'https://elsewhere.example.com/' } }),
  }),
  onWebhook('POST /webhooks/:id/rotate-secret', oracle.changingWebhook),
  onWebhook('POST /webhooks/:id/test', oracle.changingWebhook),
  onWebhook('POST /webhooks/:id/replay', oracle.changingWebhook, {
    call: (place) => ({ path: `${webhookPath(place)}/replay`, body: { after: 0 } }),
  }),
  onWebhook('DELETE /webhooks/:id', oracle.seeingWebhook, {
    prepare: async (place, { actor, person }, { home, host }) => {
      const webhook = await insertWebhook(
        home,
        place.relation === 'owned' && actor.isBoundHere ? person : host,
      );
      return { ...place, belongings: { ...place.belongings, webhook } };
    },
  }),

  ...['stats', 'tasks', 'comments', 'workload'].map((name) =>
    onNothing(`GET /dashboard/${name}`, 'dashboard:read'),
  ),
  ...['current', 'entries', 'stats'].map((name) => onNothing(`GET /timer/${name}`, 'time:read')),
  {
    ...onNothing('POST /timer/stop', 'time:write'),
    prepare: async (place, { bound, actor, places }, { foreign }) => {
      const joined = places.find((each) => each.relation === 'joined') as Place;
      const taskId = actor.isBoundHere ? joined.task : foreign.task;
      await api(bound.token).post('/timer/start', { taskId });
      return place;
    },
  },

  onSession('GET /chunked-upload/status/:sessionId', {
    call: ({ belongings }) => ({ path: `/chunked-upload/status/${belongings.open}` }),
  }),
  onSession('POST /chunked-upload/chunk/:sessionId/:partNumber', {
    call: ({ belongings }) => ({
      path: `/chunked-upload/chunk/${belongings.open}/1`,
      body: 'hello',
      headers: { 'Content-Type': 'application/octet-stream', 'Content-Length': '5' },
    }),
  }),
  onSession('POST /chunked-upload/complete/:sessionId', {
    call: ({ belongings }) => ({ path: `/chunked-upload/complete/${belongings.filled}` }),
  }),
  onSession('POST /chunked-upload/abort/:sessionId', {
    call: ({ belongings }) => ({ path: `/chunked-upload/abort/${belongings.aborted}` }),
  }),
  onSession('DELETE /chunked-upload/:sessionId', {
    call: ({ belongings }) => ({ path: `/chunked-upload/${belongings.aborted}` }),
  }),
];

/** Ids that don't exist. All of them differ, so that they can be replaced in texts. */
export const MISSING: Place = {
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
    open: 'missing-session-1',
    filled: 'missing-session-2',
    aborted: 'missing-session-3',
  },
};
