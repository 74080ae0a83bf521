import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import { pollUntil } from '../../support/timeout.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import {
  createWebhook,
  deliverAll,
  makeRetriesDue,
  openReceiver,
  openReceivers,
  type Receiver,
  readLog,
  readWebhook,
  updateWebhookRow,
} from './receivers.ts';

const HOUR = 3_600_000;
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
const getWaitMs = async () => Date.parse((await readState()).nextAttemptAt) - Date.now();
const changeWebhookRow = (sql: string, ...params: unknown[]) =>
  updateWebhookRow(world, hook.id, sql, ...params);
const listEmails = async () => {
  const { results } = await env.DIRECTORY.prepare(
    'SELECT recipient, subject, text FROM outbox ORDER BY id',
  ).all<{
    recipient: string;
    subject: string;
    text: string;
  }>();
  return results.filter(({ recipient }) => recipient === world.people.owner.email);
};

describe('a failing receiver', () => {
  it.each([
    ['500', () => new Response('broken', { status: 500 }), 'returned 500'],
    ['404', () => new Response('who?', { status: 404 }), 'returned 404'],
    [
      'a redirect',
      () => new Response(null, { status: 307, headers: { Location: 'https://127.0.0.1/' } }),
      'redirects are not followed',
    ],
    [
      'a broken connection',
      () => {
        throw new Error('reset');
      },
      'connection failed',
    ],
  ])('is sent the same message again before any other message (%s)', async (_what, refuse, error) => {
    receiver.answer = refuse;
    await createTaskAsOwner();
    await createTaskAsOwner();
    await deliverAll(world);
    expect(receiver.messages).toHaveLength(1);
    expect(await readState()).toMatchObject({ status: 'active', failures: 1, cursor: hook.cursor });
    expect(await getWaitMs()).toBeLessThanOrEqual(6_000);
    const { body } = await api(world.people.owner.token).get(`/webhooks/${hook.id}/deliveries`);
    expect(body.data[0].error).toContain(error);
    await makeRetriesDue(world);
    await deliverAll(world);
    expect(receiver.messages).toHaveLength(2);
    expect(await getWaitMs()).toBeGreaterThan(20_000);
    receiver.answer = () => new Response(null, { status: 204 });
    await makeRetriesDue(world);
    await deliverAll(world);
    const [first, second, third] = receiver.messages;
    expect([second?.messageId, third?.messageId]).toEqual([first?.messageId, first?.messageId]);
    expect(second?.text).toBe(first?.text);
    expect(receiver.messages).toHaveLength(4);
    const log = await readLog(world, hook.cursor);
    expect([...new Set(receiver.events().map(({ seq }) => seq))]).toEqual(log.map(({ seq }) => seq));
    expect(await readState()).toMatchObject({ failures: 0, failingSince: null, nextAttemptAt: null });
  });

  it('is sent the waiting events as soon as a test call succeeds', async () => {
    receiver.answer = () => new Response('broken', { status: 500 });
    await createTaskAsOwner();
    await deliverAll(world);
    const { nextAttemptAt } = await readState();
    expect(nextAttemptAt).not.toBeNull();
    const sendTestMessage = () => api(world.people.owner.token).post(`/webhooks/${hook.id}/test`);
    await sendTestMessage();
    expect((await readState()).nextAttemptAt).toBe(nextAttemptAt);
    receiver.answer = () => new Response('ok');
    await sendTestMessage();
    await pollUntil(async () => (await readState()).failures === 0);
    expect(receiver.messages.at(-1)?.body.type).toBe('task.created');
    expect((await readState()).nextAttemptAt).toBeNull();
  });

  it("isn't called again before its Retry-After has passed", async () => {
    receiver.answer = () => new Response('later', { status: 429, headers: { 'Retry-After': '3600' } });
    await createTaskAsOwner();
    await deliverAll(world);
    expect(await getWaitMs()).toBeGreaterThan(HOUR - 60_000);
    await createTaskAsOwner();
    await deliverAll(world);
    expect(receiver.messages).toHaveLength(1);
  });

  it("isn't called again after a 410 until the webhook is resumed, which then continues where it left off", async () => {
    receiver.answer = () => new Response('gone', { status: 410 });
    await createTaskAsOwner();
    await deliverAll(world);
    await createTaskAsOwner();
    await deliverAll(world);
    expect(receiver.messages).toHaveLength(1);
    expect(await readState()).toMatchObject({
      status: 'stopped',
      stopReason: 'receiver_gone',
      nextAttemptAt: null,
    });
    receiver.answer = () => new Response('back');
    await api(world.people.owner.token).patch(`/webhooks/${hook.id}`, { status: 'active' });
    await deliverAll(world);
    const log = await readLog(world, hook.cursor);
    expect(
      receiver
        .events()
        .slice(1)
        .map(({ seq }) => seq),
    ).toEqual(log.map(({ seq }) => seq));
  });

  it('is reported by email after two days, and again when the webhook stops after three days', async () => {
    receiver.answer = () => new Response('broken', { status: 503 });
    await createTaskAsOwner();
    await deliverAll(world);
    expect(await listEmails()).toEqual([]);
    await changeWebhookRow('failing_since = ?, next_attempt_at = 1, failures = 7', Date.now() - 48 * HOUR);
    await deliverAll(world);
    await makeRetriesDue(world);
    await deliverAll(world);
    const [warning, ...more] = await listEmails();
    expect(more).toEqual([]);
    expect(warning?.subject).toBe(`Webhook ${hook.id} is failing and will stop tomorrow`);
    expect(warning?.text).toContain(receiver.url);
    expect(await readState()).toMatchObject({ status: 'active', failures: 9 });
    await changeWebhookRow('failing_since = ?, next_attempt_at = 1', Date.now() - 72 * HOUR);
    await deliverAll(world);
    expect((await listEmails()).map(({ subject }) => subject)).toEqual([
      warning?.subject,
      `Webhook ${hook.id} has stopped`,
    ]);
    expect(await readState()).toMatchObject({
      status: 'stopped',
      stopReason: 'failed_too_long',
      cursor: hook.cursor,
    });
    const sent = receiver.messages.length;
    await createTaskAsOwner();
    await deliverAll(world);
    expect(receiver.messages).toHaveLength(sent);
    receiver.answer = () => new Response('back');
    await api(world.people.owner.token).patch(`/webhooks/${hook.id}`, { status: 'active' });
    await deliverAll(world);
    const log = await readLog(world, hook.cursor);
    expect(
      receiver
        .events()
        .slice(sent)
        .map(({ seq }) => seq),
    ).toEqual(log.map(({ seq }) => seq));
  });

  it("that returns 410 doesn't change the status of a webhook that was paused in the meantime", async () => {
    receiver.answer = async () => {
      await api(world.people.owner.token).patch(`/webhooks/${hook.id}`, { status: 'paused' });
      return new Response('gone', { status: 410 });
    };
    await createTaskAsOwner();
    await deliverAll(world);
    expect(await readState()).toMatchObject({ status: 'paused', stopReason: null });
  });
  it.each([410, 500])(
    "that returned %i doesn't delay deliveries to a new URL that was set in the meantime",
    async (status) => {
      const other = openReceiver();
      receiver.answer = async () => {
        await api(world.people.owner.token).patch(`/webhooks/${hook.id}`, { url: other.url });
        return new Response('gone', { status, headers: { 'Retry-After': '3600' } });
      };
      await changeWebhookRow('failures = 7, failing_since = ?, next_attempt_at = 1', Date.now() - 40 * HOUR);
      await createTaskAsOwner();
      await deliverAll(world);
      await deliverAll(world);
      expect([receiver.messages.length, other.messages.length]).toEqual([1, 1]);
      expect(await readState()).toMatchObject({ status: 'active', failures: 0, failingSince: null });
      const { body } = await api(world.people.owner.token).get(`/webhooks/${hook.id}/deliveries`);
      expect(body.data.map((each: { status: number }) => each.status)).toEqual([200, status]);
    },
  );
});
