import { beforeAll, describe, expect, inject, it, type TaskMeta } from 'vitest';
import type { Route } from '../../../src/kernel/http/route.ts';
import { routes } from '../../../src/registry.ts';
import { getRouteName } from '../../contract/requests.ts';
import { api } from '../../support/api.ts';
import { createBulkWorld } from '../../support/bulk-world.ts';
import { HANG_MS } from '../../support/timeout.ts';
import { createApiKey, createWorld } from '../../support/world.ts';
import { createFuzzObjects, createFuzzWorld, type FuzzWorld } from '../fuzz/fuzz-world.ts';
import type { FuzzInputs } from '../fuzz/requests.ts';
import { addHostileData } from './hostile-world.ts';
import { measureBest, measureRoute, type RequestCost } from './measure.ts';
import { preparations } from './preparations.ts';
import { buildWorstRequests, type WorstRequest } from './worst-inputs.ts';
import { createLargeProject, type LargeProject, worstWrites } from './worst-writes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Set by `scripts/fuzz.ts hostile-cost`, which creates a cell with many tasks and applies strict limits. */
    hostile?: { tasks: number };
  }
  interface TaskMeta {
    mostExpensive?: ({ name: string } & RequestCost)[];
  }
}

const largeSize = inject('hostile');
const BYTES_MAX = 8_000_000;
/** In `npm test`, the machine is shared, so the limits are high. A quadratic algorithm still takes seconds. */
const OTHER_MS_MAX = largeSize ? 100 : 1_000;
const BATCH_MS_MAX = largeSize ? 50 : 500;
/**
 * A bulk request does the work of a hundred requests, but may take only the CPU time of two and the database
 * time of one.
 */
const getOtherMsMax = (name: string) => (name.endsWith('InBulk') ? 2 : 1) * OTHER_MS_MAX;
const timeout = HANG_MS;

/** Operations that no generated input can complete, with the reason. */
const incompleteOperations: Readonly<Record<string, string>> = {
  login: 'counts failed attempts by address and account; passwords are hashed on purpose',
  register: 'hashes a password on purpose',
  uploadChunk: 'takes bytes that a session waits for; test/files/uploads',
};

let fuzzWorld: FuzzWorld;
let largeWorkspace: { token: string; pool: FuzzInputs['pool'] } | null = null;
/** Values for read operations. They are created first, so that the most expensive tasks are the newest. */
let readValues: FuzzInputs['pool'];
let ids: number[];

beforeAll(async () => {
  fuzzWorld = await createFuzzWorld();
  readValues = await createFuzzObjects(fuzzWorld);
  const beside = await createWorld();
  const size = { tasks: 300, longTexts: 30, comments: 600 };
  await addHostileData(fuzzWorld.world, size);
  await addHostileData(beside, size);
  // Skips the newest tasks, because their text is so long that a hundred of them don't fit into a bulk request.
  const newest = await api(fuzzWorld.world.people.owner.token).get('/tasks?scope=all&limit=100&offset=60');
  ids = newest.body.data.map(({ id }: { id: number }) => id);
  if (largeSize) largeWorkspace = await createLargeWorkspace(largeSize.tasks);
}, 3_600_000);

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

/** @param prepare runs before each try. */
async function expectWithinLimits(
  token: string,
  index: number,
  { label, prepare }: { label: string; prepare: () => Promise<Omit<WorstRequest, 'label'>> },
  meta: TaskMeta,
): Promise<number> {
  const route = routes[index];
  if (!route) throw new Error(`no route ${index}`);
  // A repeated write may be rejected, so the first try determines the status.
  const best = await measureBest(async () => measureRoute(route, await prepare(), token), isWithin);
  const { status, bytes, batchMs, otherMs, error } = best;
  const what = `${getRouteName(route)} (${label}), returned ${status}${error}`;
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

const repeatRequest = (request: WorstRequest) => ({ label: request.label, prepare: async () => request });

/** Excludes attachments, whose `parentId` isn't a parent task. */
const takesParentTask = ({ path }: Route) => path.startsWith('/tasks') && !path.includes('/attachments');

// Reads run before writes, because writes add newer tasks.
const getSortOrder = ({ method, operation }: Route) =>
  method === 'GET' ? Number(Boolean(preparations[operation.name])) : 2;
const orderedRoutes = routes
  .map((route, index) => [getRouteName(route), index, getSortOrder(route)] as const)
  .sort(([, , one], [, , other]) => one - other);

describe('the most expensive input', () => {
  it.for(orderedRoutes)('to %s stays within the limits', { timeout }, async ([, index], { task }) => {
    const route = routes[index];
    if (!route) throw new Error(`no route ${index}`);
    const pool =
      route.method === 'GET'
        ? { ...readValues, ...(await preparations[route.operation.name]?.(fuzzWorld.world)) }
        : {
            ...(await createFuzzObjects(fuzzWorld)),
            ids: [ids],
            ...(takesParentTask(route) && { parentId: [null] }),
            ...(await preparations[route.operation.name]?.(fuzzWorld.world)),
          };
    const token =
      route.operation.access === 'session' ? fuzzWorld.world.people.owner.token : (fuzzWorld.tokens[5] ?? '');
    const statuses: number[] = [];
    for (const request of buildWorstRequests(route, pool))
      statuses.push(await expectWithinLimits(token, index, repeatRequest(request), task.meta));
    // Incomplete operations can't succeed. For operations in worst-writes.ts, the requests there must succeed instead.
    if (incompleteOperations[route.operation.name] || worstWrites[route.operation.name]) return;
    expect(
      statuses.some((status) => status < 300),
      `statuses ${[...new Set(statuses)]}`,
    ).toBe(true);
  });
});

describe('the most expensive valid write', () => {
  const cases = Object.entries(worstWrites).flatMap(([name, requests]) =>
    requests.map((request) => [name, request.label, request] as const),
  );
  let project: LargeProject;

  beforeAll(async () => {
    project = await createLargeProject(fuzzWorld.world);
  }, 3_600_000);

  it.for(cases)('stays within the limits for %s (%s)', { timeout }, async ([name, , request], { task }) => {
    const index = routes.findIndex(({ operation }) => operation.name === name);
    const { label, prepare } = request;
    const status = await expectWithinLimits(
      fuzzWorld.world.people.owner.token,
      index,
      { label, prepare: () => prepare(project) },
      task.meta,
    );
    expect(status).toBeLessThan(300);
  });
});

describe.runIf(largeSize)('in a workspace with many tasks', () => {
  it.for(orderedRoutes.filter(([name]) => name.startsWith('GET ')))(
    'the most expensive input to %s stays within the limits',
    { timeout },
    async ([, index], { task }) => {
      const route = routes[index];
      if (!route || !largeWorkspace) throw new Error(`no route ${index}`);
      if (route.operation.access === 'session') return;
      for (const request of buildWorstRequests(route, largeWorkspace.pool))
        await expectWithinLimits(largeWorkspace.token, index, repeatRequest(request), task.meta);
    },
  );
});
