import type { api } from '../../support/api.ts';
import { editableFields } from '../../support/task-fields.ts';
import type { World } from '../../support/world.ts';

/** The objects that concurrent changes act on. New objects are created for each pair or triple of changes. */
export interface RacedObjects {
  world: World;
  task: number;
  /** A recurring meeting whose occurrence has its own task. */
  meeting: number;
  meetingTask: number;
  /** Two comments by the owner on the task. */
  comments: [toEdit: number, toDelete: number];
  subtask: number;
  /** Another task in the same project, without subtasks. */
  parent: number;
  /** A template of a task with a subtask. */
  template: number;
}

type Api = ReturnType<typeof api>;
type ConcurrentChange = (me: Api, subject: RacedObjects) => Promise<{ status: number }>;

const createPatchChange =
  (body: (world: World) => Record<string, unknown>): ConcurrentChange =>
  (me, { world, task }) =>
    me.patch(`/tasks/${task}`, body(world));
const createPostChange =
  (verb: string): ConcurrentChange =>
  (me, { task }) =>
    me.post(`/tasks/${task}/${verb}`);

/** Operations that change a task, its relatives, comments or meetings, and every field that an update can change. */
export const changes: Record<string, ConcurrentChange> = {
  ...Object.fromEntries(
    editableFields.map(({ name, value }) => [name, createPatchChange(() => ({ [name]: value }))]),
  ),
  completed: createPatchChange(() => ({ status: 'completed' })),
  assignee: createPatchChange(({ people }) => ({ assigneeId: people.member.userId })),
  unassigned: createPatchChange(() => ({ assigneeId: null })),
  'past deadline': createPatchChange(() => ({ deadline: '2025-01-01' })),
  'no deadline': createPatchChange(() => ({ deadline: null })),
  everything: createPatchChange(({ people }) => ({
    name: 'All at once',
    status: 'client_review',
    priority: 'high',
    assigneeId: people.lead.userId,
    deadline: '2026-12-31',
    customEstimatedHours: null,
  })),
  parent: (me, { task, parent }) => me.patch(`/tasks/${task}`, { parentId: parent }),
  'subtask done': (me, { subtask }) => me.patch(`/tasks/${subtask}`, { status: 'completed' }),
  'blocks another': (me, { task, parent }) =>
    me.post(`/tasks/${task}/relations`, { type: 'blocks', taskId: parent }),
  'blocked by another': (me, { task, parent }) =>
    me.post(`/tasks/${task}/relations`, { type: 'blocked_by', taskId: parent }),
  'blocked by a subtask': (me, { task, subtask }) =>
    me.post(`/tasks/${subtask}/relations`, { type: 'blocks', taskId: task }),
  'subtask above': (me, { task, parent }) => me.patch(`/tasks/${parent}`, { parentId: task }),
  'subtask added': (me, { world, task }) =>
    me.post('/tasks', { projectId: world.projects.joined.id, name: 'Below', parentId: task }),
  'subtasks from a template': (me, { world, task, template }) =>
    me.post('/tasks', { projectId: world.projects.joined.id, templateId: template, parentId: task }),
  archive: createPostChange('archive'),
  unarchive: createPostChange('unarchive'),
  duplicate: createPostChange('duplicate'),
  move: (me, { world, task }) => me.post(`/tasks/${task}/move`, { projectId: world.projects.other.id }),
  'move subtask': (me, { world, subtask }) =>
    me.post(`/tasks/${subtask}/move`, { projectId: world.projects.other.id }),
  'move both': (me, { world, task, subtask }) =>
    me.post('/tasks/bulk/move', { ids: [subtask, task], projectId: world.projects.other.id }),
  'delete both': (me, { task, parent }) => me.post('/tasks/bulk/delete', { ids: [task, parent] }),
  delete: (me, { task }) => me.delete(`/tasks/${task}`),
  'delete subtask': (me, { subtask }) => me.delete(`/tasks/${subtask}`),
  comment: (me, { task }) => me.post(`/tasks/${task}/comments`, { content: 'Said meanwhile' }),
  'edit comment': (me, { task, comments }) =>
    me.patch(`/tasks/${task}/comments/${comments[0]}`, { content: 'Said again' }),
  'delete comment': (me, { task, comments }) => me.delete(`/tasks/${task}/comments/${comments[1]}`),
  timer: (me, { task }) => me.post('/timer/start', { taskId: task }),
  'move meeting': (me, { meeting }) =>
    me.patch(`/meetings/${meeting}`, { date: '2026-12-09', time: '16:00' }),
  'meeting task': (me, { meetingTask }) => me.patch(`/tasks/${meetingTask}`, { deadline: '2026-12-20' }),
  'meeting task done': (me, { meetingTask }) => me.patch(`/tasks/${meetingTask}`, { status: 'completed' }),
};
