import type { api } from '../../support/api.ts';
import { editableFields } from '../../support/task-fields.ts';
import type { World } from '../../support/world.ts';
import type { MoreName, RacedObjects } from './raced-objects.ts';

type Api = ReturnType<typeof api>;

/** The means of one person to change things. All of them use a database that waits for the other changes. */
export interface Sender {
  readonly me: Api;
  /** Runs an operation that may have no route. */
  readonly run: (
    operation: string,
    input: Record<string, unknown>,
  ) => Promise<{ status: number; body: unknown }>;
  /** Runs an operation as someone without an account. */
  readonly runPublic: (operation: string, input: Record<string, unknown>) => Promise<{ status: number }>;
}

export interface ConcurrentChange {
  readonly operation: string;
  /** By default, the owner makes the change. */
  readonly person?: 'lead';
  readonly needs?: readonly MoreName[];
  readonly send: (sender: Sender, objects: RacedObjects) => Promise<{ status: number }>;
}

const defineRequest = (
  operation: string,
  send: (me: Api, objects: RacedObjects) => Promise<{ status: number }>,
): ConcurrentChange => ({ operation, send: ({ me }, objects) => send(me, objects) });
const definePatch = (body: (world: World) => Record<string, unknown>): ConcurrentChange =>
  defineRequest('updateTask', (me, { world, task }) => me.patch(`/tasks/${task}`, body(world)));

/** Requests that change a task, its relatives, comments or meetings, and every field that an update can change. */
export const taskChanges: Readonly<Record<string, ConcurrentChange>> = {
  ...Object.fromEntries(
    editableFields.map(({ name, value }) => [name, definePatch(() => ({ [name]: value }))]),
  ),
  completed: definePatch(() => ({ status: 'completed' })),
  assignee: definePatch(({ people }) => ({ assigneeId: people.member.userId })),
  unassigned: definePatch(() => ({ assigneeId: null })),
  'past deadline': definePatch(() => ({ deadline: '2025-01-01' })),
  'no deadline': definePatch(() => ({ deadline: null })),
  everything: definePatch(({ people }) => ({
    name: 'All at once',
    status: 'client_review',
    priority: 'high',
    assigneeId: people.lead.userId,
    deadline: '2026-12-31',
    customEstimatedHours: null,
  })),
  parent: defineRequest('updateTask', (me, { task, parent }) =>
    me.patch(`/tasks/${task}`, { parentId: parent }),
  ),
  'subtask done': defineRequest('updateTask', (me, { subtask }) =>
    me.patch(`/tasks/${subtask}`, { status: 'completed' }),
  ),
  'blocks another': defineRequest('addRelation', (me, { task, parent }) =>
    me.post(`/tasks/${task}/relations`, { type: 'blocks', taskId: parent }),
  ),
  'blocked by another': defineRequest('addRelation', (me, { task, parent }) =>
    me.post(`/tasks/${task}/relations`, { type: 'blocked_by', taskId: parent }),
  ),
  'blocked by a subtask': defineRequest('addRelation', (me, { task, subtask }) =>
    me.post(`/tasks/${subtask}/relations`, { type: 'blocks', taskId: task }),
  ),
  'subtask above': defineRequest('updateTask', (me, { task, parent }) =>
    me.patch(`/tasks/${parent}`, { parentId: task }),
  ),
  'subtask added': defineRequest('createTask', (me, { world, task }) =>
    me.post('/tasks', { projectId: world.projects.joined.id, name: 'Below', parentId: task }),
  ),
  'subtasks from a template': {
    needs: ['template'],
    ...defineRequest('createTask', (me, { world, task, more }) =>
      me.post('/tasks', { projectId: world.projects.joined.id, templateId: more.template, parentId: task }),
    ),
  },
  archive: defineRequest('archiveTask', (me, { task }) => me.post(`/tasks/${task}/archive`)),
  unarchive: defineRequest('unarchiveTask', (me, { task }) => me.post(`/tasks/${task}/unarchive`)),
  duplicate: defineRequest('duplicateTask', (me, { task }) => me.post(`/tasks/${task}/duplicate`)),
  move: defineRequest('moveTask', (me, { world, task }) =>
    me.post(`/tasks/${task}/move`, { projectId: world.projects.other.id }),
  ),
  'move subtask': defineRequest('moveTask', (me, { world, subtask }) =>
    me.post(`/tasks/${subtask}/move`, { projectId: world.projects.other.id }),
  ),
  'move both': defineRequest('moveTasksInBulk', (me, { world, task, subtask }) =>
    me.post('/tasks/bulk/move', { ids: [subtask, task], projectId: world.projects.other.id }),
  ),
  'delete both': defineRequest('deleteTasksInBulk', (me, { task, parent }) =>
    me.post('/tasks/bulk/delete', { ids: [task, parent] }),
  ),
  delete: defineRequest('deleteTask', (me, { task }) => me.delete(`/tasks/${task}`)),
  'delete subtask': defineRequest('deleteTask', (me, { subtask }) => me.delete(`/tasks/${subtask}`)),
  comment: defineRequest('addComment', (me, { task }) =>
    me.post(`/tasks/${task}/comments`, { content: 'A remark in between' }),
  ),
  'edit comment': defineRequest('updateComment', (me, { task, comments }) =>
    me.patch(`/tasks/${task}/comments/${comments[0]}`, { content: 'Said again' }),
  ),
  'delete comment': defineRequest('deleteComment', (me, { task, comments }) =>
    me.delete(`/tasks/${task}/comments/${comments[1]}`),
  ),
  timer: defineRequest('startTimer', (me, { task }) => me.post('/timer/start', { taskId: task })),
  // Only members of the project can move meetings.
  'move meeting': {
    person: 'lead',
    ...defineRequest('updateMeeting', (me, { meeting }) =>
      me.patch(`/meetings/${meeting}`, { date: '2026-12-09', time: '16:00' }),
    ),
  },
  'meeting task': defineRequest('updateTask', (me, { meetingTask }) =>
    me.patch(`/tasks/${meetingTask}`, { deadline: '2026-12-20' }),
  ),
  'meeting task done': defineRequest('updateTask', (me, { meetingTask }) =>
    me.patch(`/tasks/${meetingTask}`, { status: 'completed' }),
  ),
};
