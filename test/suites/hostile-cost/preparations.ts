import { api } from '../../support/api.ts';
import { createTask, type World } from '../../support/world.ts';
import { createLargeTemplate } from '../../templates/create-template.ts';
import type { FuzzInputs } from '../fuzz/requests.ts';
import { worstWrites } from './worst-writes.ts';

const CHECKLIST_ITEMS = 100;
/** Enough tasks to repeat a request that takes no input, each time for a different task. */
const TASKS_WITH_CHECKLISTS = 12;

const checklistItemIds = Array.from({ length: CHECKLIST_ITEMS }, (_, index) => index + 1);

/** Values for operations that succeed only with related objects, such as a task and its subtasks. */
export const preparations: Readonly<Record<string, (world: World) => Promise<FuzzInputs['pool']>>> = {
  createTask: async (world) => ({ templateId: [await createLargeTemplate(world)] }),
  createTasksInBulk: async ({ people, projects }) => ({
    parentId: [(await createTask(people.owner, projects.joined.id)).id],
  }),
  orderSubtasks: async ({ people, projects }) => {
    const parent = await createTask(people.owner, projects.joined.id);
    const tasks = Array.from({ length: 100 }, (_, index) => ({
      name: `Subtask ${index}`,
      projectId: projects.joined.id,
      parentId: parent.id,
    }));
    const { body } = await api(people.owner.token).post('/tasks/bulk', { tasks });
    const children = body.data.map(({ task }: { task: { id: number } }) => task.id);
    return { '/tasks': [parent.id], ids: [children.toReversed()] };
  },
  replaceChecklist: async (world) => ({
    '/tasks': await createChecklists(world, 1),
    ids: [checklistItemIds],
  }),
  updateChecklistLine: prepareChecklistItems,
  deleteChecklistLine: prepareChecklistItems,
  convertChecklistLine: prepareChecklistItems,
  updateTimeEntry: async (world) => ({ '/timer': [await createEntry(world, '2020-01-01')] }),
  deleteTimeEntry: async (world) => ({ '/timer': [await createEntry(world, '2020-01-02')] }),
  getRecurrence: async ({ people, projects }) => {
    const recurrence = { rule: 'FREQ=MONTHLY;BYMONTHDAY=29,30,31', mode: 'schedule' };
    return { '/tasks': [(await createTask(people.owner, projects.joined.id, { recurrence })).id] };
  },
  listRelations: async (world) => ({ '/tasks': await createRelatedTasks(world, 1, 100) }),
  addRelation: async (world) => {
    const { id } = await createTask(world.people.owner, world.projects.joined.id);
    return { '/tasks': await createRelatedTasks(world, TASKS_WITH_CHECKLISTS, 99), taskId: [id] };
  },
};

async function createEntry({ people, projects }: World, day: string): Promise<number> {
  const { id: taskId } = await createTask(people.owner, projects.joined.id);
  const times = { startTime: `${day}T09:00:00.000Z`, endTime: `${day}T10:00:00.000Z` };
  const { body } = await api(people.owner.token).post('/timer/entries', { taskId, ...times });
  return body.id;
}

async function prepareChecklistItems(world: World): Promise<FuzzInputs['pool']> {
  return { '/tasks': await createChecklists(world, TASKS_WITH_CHECKLISTS), itemId: [1] };
}

/** Returns `count` tasks, each of which blocks `related - count` other tasks. */
async function createRelatedTasks({ people, projects }: World, count: number, related: number) {
  const createTasks = async (tasks: number) => {
    const items = Array.from({ length: tasks }, () => ({ name: 'Related', projectId: projects.joined.id }));
    const { body } = await api(people.owner.token).post('/tasks/bulk', { tasks: items });
    return body.data.map(({ task }: { task: { id: number } }) => task.id) as number[];
  };
  const others = await createTasks(related);
  const tasks = await createTasks(count);
  for (const id of tasks)
    for (const taskId of others.slice(0, related - tasks.length))
      await api(people.owner.token).post(`/tasks/${id}/relations`, { type: 'blocks', taskId });
  return tasks;
}

async function createChecklists({ people, projects }: World, count: number): Promise<number[]> {
  const created: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const { id } = await createTask(people.owner, projects.joined.id);
    const items = Array.from({ length: CHECKLIST_ITEMS }, (_, line) => ({ text: `${line} `.repeat(100) }));
    await api(people.owner.token).put(`/tasks/${id}/checklist`, { items });
    created.push(id);
  }
  return created;
}

export function isPrepared(operation: string): boolean {
  return Object.hasOwn(preparations, operation) || Object.hasOwn(worstWrites, operation);
}
