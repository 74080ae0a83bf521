import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { HANG_MS } from '../../support/timeout.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { runCronTick } from '../../upkeep/cron/cron-work.ts';
import {
  createWebhook,
  deliverAll,
  openReceiver,
  openReceivers,
  type Receiver,
  readWebhook,
  updateWebhookRow,
} from './receivers.ts';

let world: World;
let receiver: Receiver;
let hook: Awaited<ReturnType<typeof createWebhook>>;

beforeEach(async () => {
  openReceivers();
  world = await createWorld();
  receiver = openReceiver();
  hook = await createWebhook(world.people.owner.token, receiver.url);
});
afterEach(() => vi.restoreAllMocks());

const createTaskAsOwner = () => createTask(world.people.owner, world.projects.joined.id);
const readState = () => readWebhook(world.people.owner, hook.id);
const changeWebhookRow = (sql: string, ...params: unknown[]) =>
  updateWebhookRow(world, hook.id, sql, ...params);
describe("a receiver's response", () => {
  it('counts as a failure if it takes longer than ten seconds', async () => {
    const set = globalThis.setTimeout;
    const asked: number[] = [];
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms = 0) => {
      asked.push(ms);
      return set(work, ms / 100);
    }) as typeof setTimeout);
    receiver.answer = (_received, signal) =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(new Error('aborted'))),
      );
    await createTaskAsOwner();
    await deliverAll(world);
    expect(asked).toContain(10_000);
    const { body } = await api(world.people.owner.token).get(`/webhooks/${hook.id}/deliveries`);
    expect(body.data[0]).toMatchObject({ status: null, error: 'no response within 10 seconds' });
  });

  it('is read up to 64 KiB, but only the first KB is stored', async () => {
    let pulled = 0;
    receiver.answer = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            pulled += 1;
            controller.enqueue(new TextEncoder().encode('é\0'.repeat(2048)));
          },
        }),
      );
    await createTaskAsOwner();
    await deliverAll(world);
    expect(pulled).toBeLessThanOrEqual(12);
    const { body } = await api(world.people.owner.token).get(`/webhooks/${hook.id}/deliveries`);
    expect(body.data[0]).toMatchObject({ status: 200, error: null });
    expect(body.data[0].answer).toMatch(/^é+$/);
    expect(body.data[0].answer.length).toBeLessThanOrEqual(1024);
  });

  it('counts as a success if its status is 200, even if the body is interrupted', async () => {
    receiver.answer = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            controller.error(new Error('reset'));
          },
        }),
      );
    await createTaskAsOwner();
    await deliverAll(world);
    expect(await readState()).toMatchObject({ failures: 0, cursor: hook.cursor + 1 });
  });
});

describe('a webhook', () => {
  it('stops without a request if its URL is forbidden', async () => {
    await changeWebhookRow("url = 'https://169.254.169.254/latest'");
    await createTaskAsOwner();
    await deliverAll(world);
    expect(await readState()).toMatchObject({
      status: 'stopped',
      stopReason: 'address_refused',
      failures: 0,
    });
    expect(vi.mocked(fetch)).not.toHaveBeenCalled();
  });

  it("stops if its secret can't be decrypted, until it is given a new secret and resumed", async () => {
    await changeWebhookRow("secret = 'other.key.sealed'");
    await createTaskAsOwner();
    await deliverAll(world);
    expect(await readState()).toMatchObject({ status: 'stopped', stopReason: 'secret_unreadable' });
    expect(receiver.messages).toEqual([]);
    const { token } = world.people.owner;
    expect((await api(token).post(`/webhooks/${hook.id}/test`)).status).toBe(400);
    await api(token).post(`/webhooks/${hook.id}/rotate-secret`);
    await api(token).patch(`/webhooks/${hook.id}`, { status: 'active' });
    await deliverAll(world);
    expect(receiver.messages).toHaveLength(1);
  });
});

describe('a cron job', () => {
  it('wakes the webhook sender if a wake-up was lost', async () => {
    // Inserts an event without a wake-up, as if the Worker had crashed after the commit.
    await getCell(world.cell)
      .prepare(
        "INSERT INTO events (ws, seq, type, actor, via, occurred_at) SELECT ?1, coalesce(max(seq), 0) + 1, 'task.updated', ?2, 'system', ?3 FROM events WHERE ws = ?1",
      )
      .bind(world.no, world.people.owner.member, Date.now())
      .run();
    expect(receiver.messages).toEqual([]);
    await runCronTick('* * * * *');
    await vi.waitUntil(() => receiver.messages.length === 1, { timeout: HANG_MS });
  });
});
