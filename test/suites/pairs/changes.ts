import type { api } from '../../support/api.ts';
import { editableFields } from '../../support/task-fields.ts';
import type { World } from '../../support/world.ts';

/** The objects that a change can use. They are created anew for every combination. */
export interface Subject {
  world: World;
  task: number;
  /** A recurring meeting whose occurrence has its own task. */
  meeting: number;
  meetingTask: number;
  /** Two comments of the owner on the task. */
  comments: [toEdit: number, toDelete: number];
  subtask: number;
  /** Another task of the project, without subtasks. */
  parent: number;
  /** A template of a task with a subtask. */
  template: number;
}

type Api = ReturnType<typeof api>;
type Change = (me: Api, subject: Subject) => Promise<{ status: number }>;

const patchTask =
  (body: (world: World) => Record<string, unknown>): Change =>
  (me, { world, task }) =>
    me.patch(`/tasks/${task}`, body(world));
const postToTask =
  (verb: string): Change =>
  (me, { task }) =>
    me.post(`/tasks/${task}/${verb}`);

/** Every operation that changes a task or its related rows, and every field that an update can change. */
export const changes: Record<string, Change> = {
  ...Object.fromEntries(editableFields.map(({ name, mine }) => [name, patchTask(() => ({ [name]: mine }))])),
  completed: patchTask(() => ({ status: 'completed' })),
  assignee: patchTask(({ people }) => ({ assigneeId: people.member.userId })),
  unassigned: patchTask(() => ({ assigneeId: null })),
  'past deadline': patchTask(() => ({ deadline: '2025-01-01' })),
  'no deadline': patchTask(() => ({ deadline: null })),
  everything: patchTask(({ people }) => ({
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
  archive: postToTask('archive'),
  unarchive: postToTask('unarchive'),
  duplicate: postToTask('duplicate'),
  move: (me, { world, task }) => me.post(`/tasks/${task}/move`, { projectId: world.projects.other.id }),
  'move subtask': (me, { world, subtask }) =>
    me.post(`/tasks/${subtask}/move`, { projectId: world.projects.other.id }),
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
