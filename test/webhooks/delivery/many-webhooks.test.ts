import { evictDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { getWorkspaceHub } from '../../../src/kernel/operation/request-scope.ts';
import { api } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import { HANG_MS } from '../../support/timeout.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import {
  createBatchStore,
  createDispatcher,
  createTaskWithoutDelivery,
  silentBindings,
} from './controlled-run.ts';
import {
  createWebhook,
  deliverAll,
  makeRetriesDue,
  openReceiver,
  openReceivers,
  type Receiver,
  readLog,
  readWebhook,
} from './receivers.ts';

const WEBHOOKS = 50;
let world: World;

beforeEach(async () => {
  openReceivers();
  world = await createWorld();
});
afterEach(() => vi.restoreAllMocks());

const createTaskAsOwner = () => createTask(world.people.owner, world.projects.joined.id);

async function createManyWebhooks(): Promise<Receiver[]> {
  const receivers: Receiver[] = [];
  for (let n = 0; n < WEBHOOKS; n += 1) {
    const receiver = openReceiver();
    await createWebhook(world.people.owner.token, receiver.url);
    receivers.push(receiver);
  }
  return receivers;
}

/** Never responds, so the sender cancels the request after ten seconds. */
const respondNever: Receiver['answer'] = (_received, signal) =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
const waitFor = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Makes the slow receiver respond. */
let respond = () => {};
const respondLate: Receiver['answer'] = () =>
  new Promise((resolve) => {
    respond = () => resolve(new Response('ok'));
  });

it.each([
  ['dead', respondNever],
  ['slow', respondLate],
])("one %s receiver among fifty doesn't delay the others", async (_what, answer) => {
  const [bad, ...others] = (await createManyWebhooks()) as [Receiver, ...Receiver[]];
  let changes = 0;
  const createChange = async () => {
    changes += 1;
    await createTaskAsOwner();
    await vi.waitUntil(() => others.every(({ messages }) => messages.length === changes), {
      timeout: HANG_MS,
      interval: 5,
    });
  };
  await createChange();
  let isWaitedFor = false;
  bad.answer = async (...message) => {
    isWaitedFor = true;
    try {
      return await answer(...message);
    } finally {
      isWaitedFor = false;
    }
  };
  for (let again = 1; again <= 2; again += 1) {
    await createChange();
    expect(isWaitedFor).toBe(true);
  }
  expect(bad.messages).toHaveLength(2);
  respond();
});

it('the webhook sender sends at most six messages at once', async () => {
  let open = 0;
  let most = 0;
  for (const receiver of await createManyWebhooks()) {
    receiver.answer = async () => {
      open += 1;
      most = Math.max(most, open);
      await waitFor(20);
      open -= 1;
      return new Response('ok');
    };
  }
  await createTaskAsOwner();
  await createTaskAsOwner();
  await deliverAll(world);
  expect(most).toBe(6);
});

it("the webhook sender continues in its next run if more events are waiting, and sends each webhook's events in order", async () => {
  const receivers = await createManyWebhooks();
  const before = (await readLog(world)).length;
  for (let n = 0; n < 6; n += 1) await createTaskAsOwner();
  await deliverAll(world);
  const log = (await readLog(world)).slice(before).map(({ seq }) => seq);
  for (const receiver of receivers) expect(receiver.events().map(({ seq }) => seq)).toEqual(log);
});

it('webhook delivery continues from the stored cursor if the Durable Object is evicted between messages', async () => {
  const receiver = openReceiver();
  const made = await createWebhook(world.people.owner.token, receiver.url);
  const stub = getWorkspaceHub(env, world.cell, world.no);
  for (let n = 0; n < 5; n += 1) {
    await createTaskAsOwner();
    await deliverAll(world);
    await evictDurableObject(stub);
  }
  const log = await readLog(world, made.cursor);
  expect(receiver.events().map(({ seq }) => seq)).toEqual(log.map(({ seq }) => seq));
  expect((await api(world.people.owner.token).get(`/webhooks/${made.id}`)).body.cursor).toBe(log.at(-1)?.seq);
});

it('a failed webhook is retried even if other webhooks always have events to send', async () => {
  const failed = openReceiver(() => new Response('broken', { status: 500 }));
  const { id } = await createWebhook(world.people.owner.token, failed.url);
  await createTaskAsOwner();
  await deliverAll(world);
  failed.answer = () => new Response('ok');
  const others = Array.from({ length: 10 }, () => openReceiver());
  for (const { url } of others)
    await api(world.people.member.token, silentBindings).post('/webhooks', { url });
  for (let made = 0; made < 12; made += 1)
    await createTaskWithoutDelivery(world.people.member, world.projects.joined.id);
  await makeRetriesDue(world);
  // The other webhooks have 120 messages waiting, but a run sends only 90.
  await createDispatcher(world, createBatchStore()).run();
  expect(others.some(({ messages }) => messages.length < 12)).toBe(true);
  expect(failed.messages.length).toBeGreaterThan(1);
  expect(await readWebhook(world.people.owner, id)).toMatchObject({ failures: 0 });
});
