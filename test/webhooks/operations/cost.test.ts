import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RequestScope } from '../../../src/kernel/operation/request-scope.ts';
import { api } from '../../support/api.ts';
import { createWorld, type World } from '../../support/world.ts';
import {
  createBatchStore,
  createDispatcher,
  createTaskWithoutDelivery,
  silentBindings,
} from '../delivery/controlled-run.ts';
import { openReceiver, openReceivers } from '../delivery/receivers.ts';

let world: World;

beforeEach(async () => {
  openReceivers();
  world = await createWorld();
});
afterEach(() => vi.restoreAllMocks());

/** Returns the cost of delivering this many events to a webhook (figures in docs/performance.md). */
async function measureCost(events: number, batch: boolean) {
  const receiver = openReceiver();
  const { token } = world.people.owner;
  const made = await api(token, silentBindings).post('/webhooks', { url: receiver.url, batch });
  for (let n = 0; n < events; n += 1)
    await createTaskWithoutDelivery(world.people.owner, world.projects.joined.id);
  const scopes: RequestScope[] = [];
  await createDispatcher(world, createBatchStore(), {}, (scope) => void scopes.push(scope)).run();
  expect(receiver.events()).toHaveLength(events);
  await api(token, silentBindings).delete(`/webhooks/${made.body.id}`);
  const sumOverScopes = (of: (scope: RequestScope) => number) =>
    scopes.reduce((total, scope) => total + of(scope), 0);
  return {
    requests: receiver.messages.length,
    trips: sumOverScopes(({ meter }) => meter.trips),
    rowsRead: sumOverScopes(({ meter }) => meter.rowsRead),
    rowsWritten: sumOverScopes(({ meter }) => meter.rowsWritten),
  };
}

/** Returns the cost of one additional event, without the cost of waking the sender. */
async function measureAdditionalCost(batch: boolean) {
  const [few, many] = [await measureCost(5, batch), await measureCost(15, batch)];
  const computeDifference = (of: (cost: typeof few) => number) => (of(many) - of(few)) / 10;
  return {
    requests: computeDifference(({ requests }) => requests),
    trips: computeDifference(({ trips }) => trips),
    rowsRead: computeDifference(({ rowsRead }) => rowsRead),
    rowsWritten: computeDifference(({ rowsWritten }) => rowsWritten),
  };
}

it('delivering an event costs one request, two database round trips, two rows written and eleven rows read', async () => {
  expect(await measureAdditionalCost(false)).toEqual({ requests: 1, trips: 2, rowsRead: 11, rowsWritten: 2 });
});

it('each additional event in a batch costs two rows read', async () => {
  expect(await measureAdditionalCost(true)).toEqual({ requests: 0, trips: 0, rowsRead: 2, rowsWritten: 0 });
});

it('waking the sender costs three more database round trips and eight more rows read', async () => {
  const cost = { requests: 1, trips: 5, rowsRead: 19, rowsWritten: 2 };
  expect(await measureCost(1, false)).toEqual(cost);
  expect(await measureCost(1, true)).toEqual(cost);
});
