import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import { until } from '../../support/hang.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import {
  createWebhook,
  deliver,
  logOf,
  makeDue,
  openReceiver,
  openReceivers,
  type Receiver,
  read,
  setWebhook,
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

const task = () => createTask(world.people.owner, world.projects.joined.id);
const state = () => read(world.people.owner, hook.id);
const waitMs = async () => Date.parse((await state()).nextAttemptAt) - Date.now();
const set = (sql: string, ...params: unknown[]) => setWebhook(world, hook.id, sql, ...params);
const mails = async () => {
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
  ])('that fails with %s gets the same message again before any other', async (_what, refuse, error) => {
    receiver.answer = refuse;
    await task();
    await task();
    await deliver(world);
    expect(receiver.got).toHaveLength(1);
    expect(await state()).toMatchObject({ status: 'active', failures: 1, cursor: hook.cursor });
    expect(await waitMs()).toBeLessThanOrEqual(6_000);
    const { body } = await api(world.people.owner.token).get(`/webhooks/${hook.id}/deliveries`);
    expect(body.data[0].error).toContain(error);
    await makeDue(world);
    await deliver(world);
    expect(receiver.got).toHaveLength(2);
    expect(await waitMs()).toBeGreaterThan(20_000);
    receiver.answer = () => new Response(null, { status: 204 });
    await makeDue(world);
    await deliver(world);
    const [first, second, third] = receiver.got;
    expect([second?.messageId, third?.messageId]).toEqual([first?.messageId, first?.messageId]);
    expect(second?.text).toBe(first?.text);
    expect(receiver.got).toHaveLength(4);
    const log = await logOf(world, hook.cursor);
    expect([...new Set(receiver.events().map(({ seq }) => seq))]).toEqual(log.map(({ seq }) => seq));
    expect(await state()).toMatchObject({ failures: 0, failingSince: null, nextAttemptAt: null });
  });

  it('gets waiting events as soon as a test call succeeds', async () => {
    receiver.answer = () => new Response('broken', { status: 500 });
    await task();
    await deliver(world);
    const { nextAttemptAt } = await state();
    expect(nextAttemptAt).not.toBeNull();
    const test = () => api(world.people.owner.token).post(`/webhooks/${hook.id}/test`);
    await test();
    expect((await state()).nextAttemptAt).toBe(nextAttemptAt);
    receiver.answer = () => new Response('ok');
    await test();
    await until(async () => (await state()).failures === 0);
    expect(receiver.got.at(-1)?.body.type).toBe('task.created');
    expect((await state()).nextAttemptAt).toBeNull();
  });

  it('is not called again before its Retry-After has passed', async () => {
    receiver.answer = () => new Response('later', { status: 429, headers: { 'Retry-After': '3600' } });
    await task();
    await deliver(world);
    expect(await waitMs()).toBeGreaterThan(HOUR - 60_000);
    await task();
    await deliver(world);
    expect(receiver.got).toHaveLength(1);
  });

  it('is not called again after a 410 until the webhook is resumed, and then continues where it left off', async () => {
    receiver.answer = () => new Response('gone', { status: 410 });
    await task();
    await deliver(world);
    await task();
    await deliver(world);
    expect(receiver.got).toHaveLength(1);
    expect(await state()).toMatchObject({
      status: 'stopped',
      stopReason: 'receiver_gone',
      nextAttemptAt: null,
    });
    receiver.answer = () => new Response('back');
    await api(world.people.owner.token).patch(`/webhooks/${hook.id}`, { status: 'active' });
    await deliver(world);
    const log = await logOf(world, hook.cursor);
    expect(
      receiver
        .events()
        .slice(1)
        .map(({ seq }) => seq),
    ).toEqual(log.map(({ seq }) => seq));
  });

  it('is reported by email after two days, and again after three, when the webhook stops', async () => {
    receiver.answer = () => new Response('broken', { status: 503 });
    await task();
    await deliver(world);
    expect(await mails()).toEqual([]);
    await set('failing_since = ?, next_attempt_at = 1, failures = 7', Date.now() - 48 * HOUR);
    await deliver(world);
    await makeDue(world);
    await deliver(world);
    const [warning, ...more] = await mails();
    expect(more).toEqual([]);
    expect(warning?.subject).toBe(`Webhook ${hook.id} is failing and will stop tomorrow`);
    expect(warning?.text).toContain(receiver.url);
    expect(await state()).toMatchObject({ status: 'active', failures: 9 });
    await set('failing_since = ?, next_attempt_at = 1', Date.now() - 72 * HOUR);
    await deliver(world);
    expect((await mails()).map(({ subject }) => subject)).toEqual([
      warning?.subject,
      `Webhook ${hook.id} has stopped`,
    ]);
    expect(await state()).toMatchObject({
      status: 'stopped',
      stopReason: 'failed_too_long',
      cursor: hook.cursor,
    });
    const sent = receiver.got.length;
    await task();
    await deliver(world);
    expect(receiver.got).toHaveLength(sent);
    receiver.answer = () => new Response('back');
    await api(world.people.owner.token).patch(`/webhooks/${hook.id}`, { status: 'active' });
    await deliver(world);
    const log = await logOf(world, hook.cursor);
    expect(
      receiver
        .events()
        .slice(sent)
        .map(({ seq }) => seq),
    ).toEqual(log.map(({ seq }) => seq));
  });

  it('gets no retries if its webhook was paused while a message was in flight', async () => {
    receiver.answer = async () => {
      await api(world.people.owner.token).patch(`/webhooks/${hook.id}`, { status: 'paused' });
      return new Response('gone', { status: 410 });
    };
    await task();
    await deliver(world);
    expect(await state()).toMatchObject({ status: 'paused', stopReason: null });
  });
  it.each([410, 500])(
    'returns %i without delaying deliveries to a new URL that was set in the meantime',
    async (status) => {
      const other = openReceiver();
      receiver.answer = async () => {
        await api(world.people.owner.token).patch(`/webhooks/${hook.id}`, { url: other.url });
        return new Response('gone', { status, headers: { 'Retry-After': '3600' } });
      };
      await set('failures = 7, failing_since = ?, next_attempt_at = 1', Date.now() - 40 * HOUR);
      await task();
      await deliver(world);
      await deliver(world);
      expect([receiver.got.length, other.got.length]).toEqual([1, 1]);
      expect(await state()).toMatchObject({ status: 'active', failures: 0, failingSince: null });
      const { body } = await api(world.people.owner.token).get(`/webhooks/${hook.id}/deliveries`);
      expect(body.data.map((each: { status: number }) => each.status)).toEqual([200, status]);
    },
  );
});
