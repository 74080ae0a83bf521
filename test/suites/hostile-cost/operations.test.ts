import { beforeAll, describe, expect, inject, it, type TaskMeta } from 'vitest';
import { routes } from '../../../src/registry.ts';
import { nameOf } from '../../contract/requests.ts';
import { api } from '../../support/api.ts';
import { createBulkWorld } from '../../support/bulk.ts';
import { createApiKey, createTask, createWorld, type World } from '../../support/world.ts';
import { createLargeTemplate } from '../../templates/create-template.ts';
import { createFuzzObjects, createFuzzWorld, type FuzzWorld } from '../fuzz/fuzz-world.ts';
import type { FuzzInputs } from '../fuzz/requests.ts';
import { addHostileData } from './hostile-world.ts';
import { measure, measureBest, type RequestCost } from './measure.ts';
import { buildWorstRequests, type WorstRequest } from './worst-inputs.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Set by `scripts/fuzz.ts hostile-cost`, which creates a cell with many tasks and applies strict limits. */
    hostile?: { tasks: number };
  }
  interface TaskMeta {
    mostExpensive?: ({ name: string } & RequestCost)[];
  }
}

const large = inject('hostile');
const BYTES_MAX = 8_000_000;
/** In `npm test`, the machine is shared, so the limits are high. A quadratic algorithm still takes seconds. */
const OTHER_MS_MAX = large ? 100 : 1_000;
const BATCH_MS_MAX = large ? 50 : 500;
/**
 * A bulk request does the work of a hundred requests, but may take only the CPU time of two and the database
 * time of one.
 */
const getOtherMsMax = (name: string) => (name.endsWith('InBulk') ? 2 : 1) * OTHER_MS_MAX;
const timeout = 300_000;

/** Operations that no generated input can complete, with the reason. */
const incompleteOperations: Readonly<Record<string, string>> = {
  login: 'counts failed attempts by address and account; passwords are hashed on purpose',
  register: 'hashes a password on purpose',
  uploadChunk: 'takes bytes that a session waits for; test/files/uploads',
};

const CHECKLIST_LINES = 100;
/** A request without input is sent several times, and each time it needs an unchanged task. */
const TASKS_WITH_CHECKLISTS = 12;

const lineIds = Array.from({ length: CHECKLIST_LINES }, (_, index) => index + 1);

/** Values for operations that succeed only with things that belong together. */
const preparations: Readonly<Record<string, (world: World) => Promise<FuzzInputs['pool']>>> = {
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
  listRelations: async (world) => ({ '/tasks': await createRelatedTasks(world, 1, 100) }),
  addRelation: async (world) => {
    const { id } = await createTask(world.people.owner, world.projects.joined.id);
    return { '/tasks': await createRelatedTasks(world, TASKS_WITH_CHECKLISTS, 99), taskId: [id] };
  },
};

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

let fuzz: FuzzWorld;
let largeWorkspace: { token: string; pool: FuzzInputs['pool'] } | null = null;
/** Values for reads, whose most expensive tasks stay the newest. */
let readValues: FuzzInputs['pool'];
/** The tasks that bulk requests change. */
let ids: number[];

beforeAll(async () => {
  fuzz = await createFuzzWorld();
  readValues = await createFuzzObjects(fuzz);
  const beside = await createWorld();
  const size = { tasks: 300, longTexts: 30, comments: 600 };
  await addHostileData(fuzz.world, size);
  await addHostileData(beside, size);
  // Skips the newest tasks, which have long texts, because a hundred of these don't fit into a bulk request.
  const newest = await api(fuzz.world.people.owner.token).get('/tasks?scope=all&limit=100&offset=60');
  ids = newest.body.data.map(({ id }: { id: number }) => id);
  if (large) largeWorkspace = await createLargeWorkspace(large.tasks);
}, 3_600_000);

/** Creates a large workspace, and returns values for reads of it. */
async function createLargeWorkspace(tasks: number) {
  const { people, projectIds, crowd } = await createBulkWorld(tasks);
  const newest = await api(people.owner.token).get('/tasks?scope=all&limit=20');
  const ids = newest.body.data.map(({ id }: { id: number }) => id);
  const pool = {
    '/tasks': ids,
    '/projects': projectIds,
    '/users': crowd.map(({ userId }) => userId),
    taskId: ids,
    projectId: projectIds,
    assigneeId: crowd.slice(20, 23).map(({ userId }) => userId),
    projectStatus: ['active'],
  };
  return { token: await createApiKey(people.owner), pool };
}

const isWithin = ({ batchMs, otherMs }: RequestCost) => batchMs <= BATCH_MS_MAX && otherMs <= OTHER_MS_MAX;

async function expectWithinLimits(
  token: string,
  index: number,
  request: WorstRequest,
  meta: TaskMeta,
): Promise<number> {
  const route = routes[index];
  if (!route) throw new Error(`no route ${index}`);
  // Repeated writes may be rejected, so the status is that of the first try.
  const best = await measureBest(() => measure(route, request, token), isWithin);
  const { status, bytes, batchMs, otherMs } = best;
  const what = `${nameOf(route)} (${request.label}), returned ${status}`;
  meta.mostExpensive ??= [];
  meta.mostExpensive.push({ name: what, ...best });
  expect.soft(status, what).not.toBe(500);
  expect.soft(bytes, `${what}: bytes`).toBeLessThanOrEqual(BYTES_MAX);
  expect.soft(batchMs, `${what}: ms of a batch`).toBeLessThanOrEqual(BATCH_MS_MAX);
  // Hashing a password is slow by design.
  if (!incompleteOperations[route.operation.name]) {
    expect
      .soft(otherMs, `${what}: ms outside of its batches`)
      .toBeLessThanOrEqual(getOtherMsMax(route.operation.name));
  }
  return status;
}

// Reads run before writes, because every write adds newer tasks.
const orderedRoutes = routes.map((route, index) => [nameOf(route), index] as const);
orderedRoutes.sort(([one], [other]) => Number(other.startsWith('GET ')) - Number(one.startsWith('GET ')));

describe('the most expensive input', () => {
  it.for(orderedRoutes)('to %s stays within the limits', { timeout }, async ([, index], { task }) => {
    const route = routes[index];
    if (!route) throw new Error(`no route ${index}`);
    const pool =
      route.method === 'GET'
        ? readValues
        : {
            ...(await createFuzzObjects(fuzz)),
            ids: [ids],
            parentId: [null],
            ...(await preparations[route.operation.name]?.(fuzz.world)),
          };
    const token =
      route.operation.access === 'session' ? fuzz.world.people.owner.token : (fuzz.tokens[5] ?? '');
    const statuses: number[] = [];
    for (const request of buildWorstRequests(route, pool))
      statuses.push(await expectWithinLimits(token, index, request, task.meta));
    if (incompleteOperations[route.operation.name]) return;
    expect(
      statuses.some((status) => status < 300),
      `statuses ${[...new Set(statuses)]}`,
    ).toBe(true);
  });
});

describe.runIf(large)('the most expensive input in a workspace with many tasks', () => {
  it.for(orderedRoutes.filter(([name]) => name.startsWith('GET ')))(
    'to %s stays within the limits',
    { timeout },
    async ([, index], { task }) => {
      const route = routes[index];
      if (!route || !largeWorkspace) throw new Error(`no route ${index}`);
      if (route.operation.access === 'session') return;
      for (const request of buildWorstRequests(route, largeWorkspace.pool))
        await expectWithinLimits(largeWorkspace.token, index, request, task.meta);
    },
  );
});
