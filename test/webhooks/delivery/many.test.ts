import { evictDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { getHub } from '../../../src/kernel/operation/request-scope.ts';
import { api } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import { HANG_MS } from '../../support/hang.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { createDispatcher, createTaskSilently, silently, storedBatches } from './controlled-run.ts';
import {
  createWebhook,
  deliver,
  logOf,
  makeDue,
  openReceiver,
  openReceivers,
  type Receiver,
  read,
} from './receivers.ts';

const WEBHOOKS = 50;
let world: World;

beforeEach(async () => {
  openReceivers();
  world = await createWorld();
});
afterEach(() => vi.restoreAllMocks());

const task = () => createTask(world.people.owner, world.projects.joined.id);

/** Creates as many webhooks as a workspace can have, each with a receiver that accepts everything. */
async function fill(): Promise<Receiver[]> {
  const receivers: Receiver[] = [];
  for (let n = 0; n < WEBHOOKS; n += 1) {
    const receiver = openReceiver();
    await createWebhook(world.people.owner.token, receiver.url);
    receivers.push(receiver);
  }
  return receivers;
}

/** Never responds, so the sender cancels the request after ten seconds. */
const dead: Receiver['answer'] = (_received, signal) =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it.each([
  ['dead', dead],
  [
    'slow',
    async () => {
      await after(8_000);
      return new Response('ok');
    },
  ],
])("one %s receiver among fifty doesn't delay the others", async (_what, answer) => {
  const [bad, ...others] = (await fill()) as [Receiver, ...Receiver[]];
  let changes = 0;
  const change = async () => {
    changes += 1;
    await task();
    await vi.waitUntil(() => others.every(({ got }) => got.length === changes), {
      timeout: HANG_MS,
      interval: 5,
    });
  };
  await change();
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
    await change();
    expect(isWaitedFor).toBe(true);
  }
  expect(bad.got).toHaveLength(2);
});

it('a run sends at most six messages at once', async () => {
  let open = 0;
  let most = 0;
  for (const receiver of await fill()) {
    receiver.answer = async () => {
      open += 1;
      most = Math.max(most, open);
      await after(20);
      open -= 1;
      return new Response('ok');
    };
  }
  await task();
  await task();
  await deliver(world);
  expect(most).toBe(6);
});

it('the next run continues if there is more to send, in order for each webhook', async () => {
  const receivers = await fill();
  const before = (await logOf(world)).length;
  for (let n = 0; n < 6; n += 1) await task();
  await deliver(world);
  const log = (await logOf(world)).slice(before).map(({ seq }) => seq);
  for (const receiver of receivers) expect(receiver.events().map(({ seq }) => seq)).toEqual(log);
});

it('delivery continues from the stored cursor if the object is evicted between messages', async () => {
  const receiver = openReceiver();
  const made = await createWebhook(world.people.owner.token, receiver.url);
  const stub = getHub(env, world.cell, world.no);
  for (let n = 0; n < 5; n += 1) {
    await task();
    await deliver(world);
    await evictDurableObject(stub);
  }
  const log = await logOf(world, made.cursor);
  expect(receiver.events().map(({ seq }) => seq)).toEqual(log.map(({ seq }) => seq));
  expect((await api(world.people.owner.token).get(`/webhooks/${made.id}`)).body.cursor).toBe(log.at(-1)?.seq);
});

it('a failed webhook is retried even if others always have something to send', async () => {
  const failed = openReceiver(() => new Response('broken', { status: 500 }));
  const { id } = await createWebhook(world.people.owner.token, failed.url);
  await task();
  await deliver(world);
  failed.answer = () => new Response('ok');
  const others = Array.from({ length: 10 }, () => openReceiver());
  for (const { url } of others) await api(world.people.member.token, silently).post('/webhooks', { url });
  for (let made = 0; made < 12; made += 1)
    await createTaskSilently(world.people.member, world.projects.joined.id);
  await makeDue(world);
  // A run sends 90 messages, and the other webhooks have 120 waiting.
  await createDispatcher(world, storedBatches()).run();
  expect(others.some(({ got }) => got.length < 12)).toBe(true);
  expect(failed.got.length).toBeGreaterThan(1);
  expect(await read(world.people.owner, id)).toMatchObject({ failures: 0 });
});
