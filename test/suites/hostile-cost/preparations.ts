import { api } from '../../support/api.ts';
import { createTask, type World } from '../../support/world.ts';
import { createLargeTemplate } from '../../templates/create-template.ts';
import type { FuzzInputs } from '../fuzz/requests.ts';
import { worstWrites } from './worst-writes.ts';

const CHECKLIST_LINES = 100;
/** A request without input is sent several times, and each time it needs an unchanged task. */
const TASKS_WITH_CHECKLISTS = 12;

const lineIds = Array.from({ length: CHECKLIST_LINES }, (_, index) => index + 1);

/** Values for operations that succeed only with things that belong together. */
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
  replaceChecklist: async (world) => ({ '/tasks': await createChecklists(world, 1), ids: [lineIds] }),
  updateChecklistLine: prepareChecklistLines,
  deleteChecklistLine: prepareChecklistLines,
  convertChecklistLine: prepareChecklistLines,
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

async function prepareChecklistLines(world: World): Promise<FuzzInputs['pool']> {
  return { '/tasks': await createChecklists(world, TASKS_WITH_CHECKLISTS), itemId: [1] };
}

/** Returns tasks that block many others. */
async function createRelatedTasks({ people, projects }: World, count: number, related: number) {
  const create = async (tasks: number) => {
    const items = Array.from({ length: tasks }, () => ({ name: 'Related', projectId: projects.joined.id }));
    const { body } = await api(people.owner.token).post('/tasks/bulk', { tasks: items });
    return body.data.map(({ task }: { task: { id: number } }) => task.id) as number[];
  };
  const others = await create(related);
  const tasks = await create(count);
  for (const id of tasks)
    for (const taskId of others.slice(0, related - tasks.length))
      await api(people.owner.token).post(`/tasks/${id}/relations`, { type: 'blocks', taskId });
  return tasks;
}

/** Returns tasks with checklists of the maximum size. */
async function createChecklists({ people, projects }: World, count: number): Promise<number[]> {
  const created: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const { id } = await createTask(people.owner, projects.joined.id);
    const items = Array.from({ length: CHECKLIST_LINES }, (_, line) => ({ text: `${line} `.repeat(100) }));
    await api(people.owner.token).put(`/tasks/${id}/checklist`, { items });
    created.push(id);
  }
  return created;
}

/** Whether the values or requests of an operation are written manually. */
export function isPrepared(operation: string): boolean {
  return Object.hasOwn(preparations, operation) || Object.hasOwn(worstWrites, operation);
}
