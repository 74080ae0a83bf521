// This file is long because it prepares the most expensive valid request for every write that needs existing objects.
import { presignAndUpload } from '../../files/attachments/presigning.ts';
import { api } from '../../support/api.ts';
import { addFieldsToProject, createField } from '../../support/custom-fields.ts';
import { addPerson, createProject, createTask, type Person, type World } from '../../support/world.ts';
import type { WorstRequest } from './worst-inputs.ts';

/** A project with enough people and fields for tasks of the maximum size. */
export interface LargeProject {
  readonly world: World;
  readonly id: number;
  /** The project that tasks are moved to. */
  readonly otherId: number;
  readonly fieldIds: readonly number[];
  readonly people: readonly Person[];
}

type PrepareRequest = (project: LargeProject) => Promise<Omit<WorstRequest, 'label'>>;

const FIELDS = 20;
const ASSIGNEES = 10;
const TAGS = 20;
const CHECKLIST_ITEMS = 100;
const TASKS_AT_ONCE = 100;
const SUBTASKS = 500;
const DESCENDANTS = 1_000;
const RELATIONS = 100;
const REMINDERS = 5;
/**
 * If 100 recurring tasks have this many subtasks each, completing them creates the maximum number of tasks per request.
 */
const SUBTASKS_OF_EACH = 19;

const createList = <T>(length: number, build: (index: number) => T) =>
  Array.from({ length }, (_, at) => build(at));

export async function createLargeProject(world: World): Promise<LargeProject> {
  const { owner } = world.people;
  const people: Person[] = [];
  for (let index = 0; index < ASSIGNEES; index += 1)
    people.push(await addPerson(world, `assignee${index}`, 'member'));
  const { id } = await createProject(world, { owner, members: people });
  const other = await createProject(world, { owner });
  const fieldIds: number[] = [];
  for (let index = 0; index < FIELDS; index += 1)
    fieldIds.push(await createField(world, 'text', `Large ${index}`));
  await addFieldsToProject(world, id, fieldIds);
  return { world, id, otherId: other.id, fieldIds, people };
}

const postToApi = async ({ world }: LargeProject, path: string, body: Record<string, unknown>) => {
  const answer = await api(world.people.owner.token).post(path, body);
  if (answer.status > 299) throw new Error(`POST ${path} returned ${answer.status}: ${answer.text}`);
  return answer.body;
};

const createRootTask = (project: LargeProject, fields: Record<string, unknown> = {}) =>
  createTask(project.world.people.owner, project.id, fields);

async function createTasks(
  project: LargeProject,
  count: number,
  fields: Record<string, unknown> = {},
): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) {
    const tasks = createList(Math.min(TASKS_AT_ONCE, count - ids.length), (index) => ({
      name: `Task ${index}`,
      projectId: project.id,
      ...fields,
    }));
    const { data } = await postToApi(project, '/tasks/bulk', { tasks });
    ids.push(...data.map(({ task }: { task: { id: number } }) => task.id));
  }
  return ids;
}

async function createLargeTree(project: LargeProject, fields: Record<string, unknown> = {}): Promise<number> {
  const { id } = await createRootTask(project, fields);
  const perLevel = [SUBTASKS, DESCENDANTS - SUBTASKS - 2 * TASKS_AT_ONCE, TASKS_AT_ONCE, TASKS_AT_ONCE];
  let parentId = id;
  for (const count of perLevel) {
    const [first = 0] = await createTasks(project, count, {
      parentId,
      assigneeIds: project.people.slice(0, 2).map(({ userId }) => userId),
      tags: ['large'],
    });
    parentId = first;
  }
  return id;
}

async function createSmallTrees(project: LargeProject): Promise<number[]> {
  const fields = buildLargeFields(project, 0);
  const ids = await createTasks(project, TASKS_AT_ONCE, { ...fields, description: '<p>text</p>' });
  for (const parentId of ids)
    await createTasks(project, DESCENDANTS / TASKS_AT_ONCE, { ...fields, parentId });
  return ids;
}

/** The values change with `turn`, so that every write changes the task. */
function buildLargeFields({ fieldIds, people }: LargeProject, turn: number) {
  const ids = people.map(({ userId }) => userId);
  const moved = turn % ids.length;
  return {
    name: `Large ${turn} ${'n'.repeat(400)}`,
    priority: turn % 2 ? 'high' : 'low',
    assigneeIds: [...ids.slice(moved), ...ids.slice(0, moved)],
    tags: createList(TAGS, (index) => `label ${(turn + index) % 50} of many`),
    startDate: '2027-03-01',
    deadline: '2027-03-02',
    dueTime: '17:30',
    customEstimatedHours: '9999.99',
    customFields: Object.fromEntries(fieldIds.map((id) => [`cf_${id}`, `Value ${turn} ${'v'.repeat(80)}`])),
  };
}

const checklistItems = createList(CHECKLIST_ITEMS, (index) => ({ text: `Line ${index} of many` }));
const recurrence = { rule: 'FREQ=MONTHLY;BYMONTHDAY=29,30,31', mode: 'completion' };

async function deleteTree(project: LargeProject): Promise<number> {
  const id = await createLargeTree(project);
  const { status, text } = await api(project.world.people.owner.token).delete(`/tasks/${id}`);
  if (status !== 200) throw new Error(`DELETE /tasks/${id} returned ${status}: ${text}`);
  return id;
}

/** Every request is prepared separately, because most requests succeed only once. */
export const worstWrites: Readonly<Record<string, readonly { label: string; prepare: PrepareRequest }[]>> = {
  createTask: [
    {
      label: 'a task with everything',
      prepare: async (project) => ({
        path: '/tasks',
        body: {
          ...buildLargeFields(project, 0),
          projectId: project.id,
          parentId: (await createRootTask(project)).id,
          description: '<p>text</p>'.repeat(9_000),
          checklist: createList(CHECKLIST_ITEMS, () => ({ text: '\u4e00'.repeat(500) })),
          recurrence,
        },
      }),
    },
  ],
  createTasksInBulk: [
    {
      label: '100 tasks with 100 checklist items, 20 fields and ten assignees each',
      prepare: async (project) => {
        const { id: parentId } = await createRootTask(project);
        const tasks = createList(TASKS_AT_ONCE, (turn) => ({
          ...buildLargeFields(project, turn),
          projectId: project.id,
          parentId,
          checklist: checklistItems,
          recurrence,
        }));
        return { path: '/tasks/bulk', body: { tasks } };
      },
    },
  ],
  updateTasksInBulk: [
    {
      label: 'every field of 100 tasks with a new parent',
      prepare: async (project) => {
        const ids = await createTasks(project, TASKS_AT_ONCE, { checklist: checklistItems });
        const { id: parentId } = await createRootTask(project);
        const updates = ids.map((id, turn) => ({ ...buildLargeFields(project, turn), id, parentId }));
        return { path: '/tasks/bulk', body: { updates } };
      },
    },
    {
      label: '100 recurring tasks with subtasks',
      prepare: async (project) => {
        const ids = await createTasks(project, TASKS_AT_ONCE, { deadline: '2027-03-02', recurrence });
        for (const parentId of ids) await createTasks(project, SUBTASKS_OF_EACH, { parentId });
        return { path: '/tasks/bulk', body: { ids, set: { status: 'completed' } } };
      },
    },
  ],
  updateTask: [
    {
      label: 'a recurring task with 1,000 subtasks',
      prepare: async (project) => {
        const id = await createLargeTree(project, {
          deadline: '2027-03-02',
          recurrence,
          checklist: checklistItems,
        });
        return { path: `/tasks/${id}`, body: { ...buildLargeFields(project, 0), status: 'completed' } };
      },
    },
    {
      label: 'every field of a recurring task, with all its parts',
      prepare: async (project) => {
        const { owner } = project.world.people;
        const { id } = await createRootTask(project, {
          ...buildLargeFields(project, 1),
          description: '<p>former</p>'.repeat(2_000),
          checklist: checklistItems,
          recurrence,
        });
        await api(owner.token).put(`/tasks/${id}/reminders`, { items: [{ minutesBefore: 30 }] });
        await postToApi(project, `/tasks/${id}/comments`, { content: 'Done' });
        await createTasks(project, SUBTASKS_OF_EACH, { parentId: id, assigneeIds: [owner.userId] });
        const [blocked = 0] = await createTasks(project, 1, { assigneeIds: [owner.userId] });
        await postToApi(project, `/tasks/${id}/relations`, { type: 'blocks', taskId: blocked });
        const body = {
          ...buildLargeFields(project, 0),
          deadline: '2027-03-03',
          status: 'completed',
          description: '<p>text</p>'.repeat(2_000),
        };
        return { path: `/tasks/${id}`, body };
      },
    },
  ],
  moveTask: [
    {
      label: 'a tree of 1,000 tasks',
      prepare: async (project) => ({
        path: `/tasks/${await createLargeTree(project, buildLargeFields(project, 0))}/move`,
        body: { projectId: project.otherId },
      }),
    },
  ],
  moveTasksInBulk: [
    {
      label: '100 trees, with 1,000 subtasks in total',
      prepare: async (project) => ({
        path: '/tasks/bulk/move',
        body: { ids: await createSmallTrees(project), projectId: project.otherId },
      }),
    },
  ],
  deleteTasksInBulk: [
    {
      label: '100 trees, with 1,000 subtasks in total',
      prepare: async (project) => ({
        path: '/tasks/bulk/delete',
        body: { ids: await createSmallTrees(project) },
      }),
    },
  ],
  restoreTasksInBulk: [
    {
      label: '100 trees, with 1,000 subtasks in total',
      prepare: async (project) => {
        const ids = await createSmallTrees(project);
        await postToApi(project, '/tasks/bulk/delete', { ids });
        return { path: '/tasks/bulk/restore', body: { ids } };
      },
    },
  ],
  deleteTask: [
    {
      label: 'a tree of 1,000 tasks',
      prepare: async (project) => ({ path: `/tasks/${await createLargeTree(project)}` }),
    },
  ],
  restoreTask: [
    {
      label: 'a tree of 1,000 tasks',
      prepare: async (project) => ({ path: `/tasks/${await deleteTree(project)}/restore` }),
    },
  ],
  setRecurrence: [
    {
      label: 'a recurrence rule whose next day is hard to find',
      prepare: async (project) => ({
        path: `/tasks/${await createLargeTree(project, { deadline: '2027-03-02' })}/recurrence`,
        body: { rule: 'FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=29,30,31', mode: 'schedule' },
      }),
    },
  ],
  deleteRecurrence: [
    {
      label: 'a task with 1,000 subtasks',
      prepare: async (project) => ({
        path: `/tasks/${await createLargeTree(project, { deadline: '2027-03-02', recurrence })}/recurrence`,
      }),
    },
  ],
  setReminders: [
    {
      label: 'as many reminders as possible',
      prepare: async (project) => ({
        path: `/tasks/${(await createRootTask(project, { deadline: '2027-03-02' })).id}/reminders`,
        body: { items: createList(REMINDERS, (index) => ({ minutesBefore: index * 30 })) },
      }),
    },
  ],
  deleteRelation: [
    {
      label: 'one of 100 relations',
      prepare: async (project) => {
        const { id } = await createRootTask(project);
        let relationId = 0;
        for (const taskId of await createTasks(project, RELATIONS))
          relationId = (await postToApi(project, `/tasks/${id}/relations`, { type: 'blocks', taskId })).id;
        return { path: `/tasks/${id}/relations/${relationId}` };
      },
    },
  ],
  confirmAttachment: [
    {
      label: 'a new version of a file',
      prepare: async (project) => {
        const { owner } = project.world.people;
        const { id } = await createRootTask(project);
        const path = `/tasks/${id}/attachments/confirm`;
        const first = await postToApi(project, path, { s3Key: await presignAndUpload(owner, id) });
        return { path, body: { s3Key: await presignAndUpload(owner, id), parentId: first.id } };
      },
    },
  ],
};
