import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CostMeter } from '../../../src/kernel/sql/cost.ts';
import { Database } from '../../../src/kernel/sql/database.ts';
import { listStuckWebhooks, pauseWebhook } from '../../../src/upkeep/incidents/stuck-webhooks.queries.ts';
import { getCell } from '../../support/env.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import {
  createWebhook,
  deliverAll,
  makeRetriesDue,
  openReceiver,
  openReceivers,
  readWebhook,
} from '../../webhooks/delivery/receivers.ts';

const cell = new Database(getCell(0), new CostMeter());
beforeEach(() => {
  openReceivers();
});
afterEach(() => vi.restoreAllMocks());

const listStuckWebhooksIn = async (...ids: string[]) =>
  (await cell.batch([listStuckWebhooks(1_000)]))[0]
    .filter(({ workspace }) => ids.includes(workspace))
    .map(({ failing_since: _since, ...rest }) => rest);
const createTaskAsOwner = ({ people, projects }: World) => createTask(people.owner, projects.joined.id);

it('an operator can list the failing and stopped webhooks of a cell, and pause active webhooks', async () => {
  const [one, two] = [await createWorld({ cell: 0 }), await createWorld({ cell: 0 })];
  const fine = openReceiver();
  const broken = openReceiver(() => new Response('out of order', { status: 500 }));
  const gone = openReceiver(() => new Response(null, { status: 410 }));
  await createWebhook(one.people.owner.token, fine.url);
  const failing = await createWebhook(one.people.owner.token, broken.url);
  const stopped = await createWebhook(two.people.owner.token, gone.url);
  await createTaskAsOwner(one);
  await createTaskAsOwner(two);
  await deliverAll(one);
  await deliverAll(two);
  await createTaskAsOwner(one);
  expect(await listStuckWebhooksIn(one.id, two.id)).toEqual([
    {
      workspace: one.id,
      id: failing.id,
      url: broken.url,
      status: 'active',
      stop_reason: null,
      failures: 1,
      last_error: 'returned 500',
      behind: 2,
    },
    expect.objectContaining({
      workspace: two.id,
      id: stopped.id,
      status: 'stopped',
      stop_reason: 'receiver_gone',
    }),
  ]);

  const pauseById = async (workspaceId: string, id: number) =>
    (await cell.batch([pauseWebhook(workspaceId, id)]))[0].length;
  // The first webhook is in another workspace, and the second is already stopped.
  expect([await pauseById(two.id, failing.id), await pauseById(two.id, stopped.id)]).toEqual([0, 0]);
  expect([await pauseById(one.id, failing.id), await pauseById(one.id, failing.id)]).toEqual([1, 0]);
  expect((await readWebhook(one.people.owner, failing.id)).status).toBe('paused');
  const messages = broken.messages.length;
  await makeRetriesDue(one);
  await deliverAll(one);
  expect(broken.messages).toHaveLength(messages);
  expect(fine.events()).toHaveLength(2);
});
