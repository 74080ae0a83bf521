import { expect, it } from 'vitest';
import { listPathParameters } from '../../../src/kernel/http/route.ts';
import {
  deleteExpiredIdempotencyKeys,
  findStoredResult,
} from '../../../src/kernel/idempotency/idempotency.queries.ts';
import { CostMeter } from '../../../src/kernel/sql/cost.ts';
import { Database } from '../../../src/kernel/sql/database.ts';
import { fillPath, getRouteName, guardedRoutes } from '../../contract/requests.ts';
import { meteredEnv } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import { createTask, createWorld } from '../../support/world.ts';
import { createFaultyD1, failNthBatch, faultMessages } from './faulty-d1.ts';
import { sendTestRequest } from './test-requests.ts';

const temporaryErrors = [
  faultMessages['lost before it runs'],
  'D1_ERROR: D1 DB storage caused object to be reset.',
  'D1_ERROR: D1 DB reset because its code was updated.',
  'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
];
const readRoutes = guardedRoutes.filter(
  ({ method, operation }) => method === 'GET' && operation.effect === 'read',
);

it('every read returns its usual status even if the first batch to each database fails', async () => {
  const world = await createWorld();
  const { owner } = world.people;
  const task = await createTask(owner, world.projects.other.id);
  const getPath = (route: (typeof readRoutes)[number]) =>
    fillPath(
      route,
      listPathParameters(route.path).includes('id')
        ? { id: route.path.includes('project') ? world.projects.other.id : task.id }
        : {},
    );
  for (const route of readRoutes) {
    const request = { method: 'GET', path: getPath(route), person: owner };
    const usual = await sendTestRequest(request, null);
    for (const message of temporaryErrors) {
      const faulty = createFaultyD1(meteredEnv.CELL_0, failNthBatch(1, new Error(message)));
      const directory = createFaultyD1(meteredEnv.DIRECTORY, failNthBatch(1, new Error(message)));
      const seen = await sendTestRequest(request, null, { CELL_0: faulty.d1, DIRECTORY: directory.d1 });
      expect([seen.status, getRouteName(route)]).toEqual([usual.status, getRouteName(route)]);
      expect(faulty.failed + directory.failed, getRouteName(route)).toBeGreaterThan(0);
    }
  }
});

it('a read returns 500 if its batch fails twice, and 503 without a retry if the database is overloaded', async () => {
  const world = await createWorld();
  const request = { method: 'GET', path: '/tasks', person: world.people.member };
  await sendTestRequest(request, null);
  for (const [fault, status, asked] of [
    ['lost before it runs', 500, 2],
    ['overloaded', 503, 1],
  ] as const) {
    const faulty = createFaultyD1(meteredEnv.CELL_0, () => fault);
    const seen = await sendTestRequest(request, null, { CELL_0: faulty.d1 });
    expect([seen.status, seen.body.error.code, faulty.batches]).toEqual([status, 'internal', asked]);
    expect(seen.headers.get('X-Request-Id')).not.toBeNull();
    expect(JSON.stringify(seen.body)).not.toMatch(/D1|lost/);
  }
});

it('a batch that contains a write is never sent twice', async () => {
  for (const message of temporaryErrors) {
    const faulty = createFaultyD1(env.CELL_0, failNthBatch(1, new Error(message)));
    const database = new Database(faulty.d1, new CostMeter());
    await expect(
      database.batch([findStoredResult('x', 0), deleteExpiredIdempotencyKeys(0, 1)]),
    ).rejects.toThrow(message);
    expect(faulty.batches).toBe(1);
  }
});

it('the retry of a failed read counts as another database round trip', async () => {
  const meter = new CostMeter();
  const faulty = createFaultyD1(env.CELL_0, failNthBatch(1, 'lost before it runs'));
  expect(await new Database(faulty.d1, meter).batch([findStoredResult('x', 0)])).toEqual([null]);
  expect([meter.trips, meter.statements]).toEqual([2, 2]);
});
