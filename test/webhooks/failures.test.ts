import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runScheduled } from '../../src/scheduled.ts';
import { api } from '../support/api.ts';
import { cellOf, env } from '../support/env.ts';
import { createTask, createWorld, type World } from '../support/world.ts';
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
const set = (sql: string, ...params: unknown[]) =>
  cellOf(world.cell)
    .prepare(`UPDATE webhooks SET ${sql} WHERE id = ?`)
    .bind(...params, hook.id)
    .run();
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

describe('a receiver that refuses', () => {
  it.each([
    ['500', () => new Response('broken', { status: 500 }), 'it answered 500'],
    ['404', () => new Response('who?', { status: 404 }), 'it answered 404'],
    [
      'a redirect',
      () => new Response(null, { status: 307, headers: { Location: 'https://127.0.0.1/' } }),
      'redirects',
    ],
    [
      'a broken connection',
      () => {
        throw new Error('reset');
      },
      'the connection failed',
    ],
  ])(
    '%s is asked again with the same message, and nothing comes before it was taken',
    async (_what, refuse, error) => {
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
      expect(await waitMs()).toBeGreaterThan(200_000);
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
    },
  );

  it('with Retry-After is left alone as long as it asks', async () => {
    receiver.answer = () => new Response('later', { status: 429, headers: { 'Retry-After': '3600' } });
    await task();
    await deliver(world);
    expect(await waitMs()).toBeGreaterThan(HOUR - 60_000);
    await task();
    await deliver(world);
    expect(receiver.got).toHaveLength(1);
  });

  it('with 410 is not asked again, until somebody starts the webhook; then it goes on where it was', async () => {
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

  it('is told of by a mail after two days, and given up with another after three', async () => {
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
    expect(warning?.subject).toBe(`Edgework: webhook ${hook.id} will stop tomorrow`);
    expect(warning?.text).toContain(receiver.url);
    expect(await state()).toMatchObject({ status: 'active', failures: 9 });
    await set('failing_since = ?, next_attempt_at = 1', Date.now() - 72 * HOUR);
    await deliver(world);
    expect((await mails()).map(({ subject }) => subject)).toEqual([
      warning?.subject,
      `Edgework: webhook ${hook.id} has stopped`,
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

  it('that was paused while a message was under way stays paused', async () => {
    receiver.answer = async () => {
      await api(world.people.owner.token).patch(`/webhooks/${hook.id}`, { status: 'paused' });
      return new Response('gone', { status: 410 });
    };
    await task();
    await deliver(world);
    expect(await state()).toMatchObject({ status: 'paused', stopReason: null });
  });
});

describe('a receiver that is slow or talks much', () => {
  it('counts as failed after ten seconds', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const asked: number[] = [];
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      asked.push(ms);
      return timeout(ms / 100);
    });
    receiver.answer = (_received, signal) =>
      new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(new Error('aborted'))),
      );
    await task();
    await deliver(world);
    expect(asked).toContain(10_000);
    const { body } = await api(world.people.owner.token).get(`/webhooks/${hook.id}/deliveries`);
    expect(body.data[0]).toMatchObject({ status: null, error: 'no answer within 10 seconds' });
  });

  it('is read for 64 KiB at most, and the first KB is kept', async () => {
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
    await task();
    await deliver(world);
    expect(pulled).toBeLessThanOrEqual(12);
    const { body } = await api(world.people.owner.token).get(`/webhooks/${hook.id}/deliveries`);
    expect(body.data[0]).toMatchObject({ status: 200, error: null });
    expect(body.data[0].answer).toMatch(/^é+$/);
    expect(body.data[0].answer.length).toBeLessThanOrEqual(1024);
  });

  it('is taken at its status where the answer breaks off', async () => {
    receiver.answer = () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            controller.error(new Error('reset'));
          },
        }),
      );
    await task();
    await deliver(world);
    expect(await state()).toMatchObject({ failures: 0, cursor: hook.cursor + 1 });
  });
});

describe('an address or a secret that can no longer be used', () => {
  it('stops the webhook without a request to an address that is not allowed', async () => {
    await set("url = 'https://169.254.169.254/latest'");
    await task();
    await deliver(world);
    expect(await state()).toMatchObject({ status: 'stopped', stopReason: 'address_refused', failures: 0 });
    expect(vi.mocked(fetch)).not.toHaveBeenCalled();
  });

  it('stops the webhook whose secret nobody can open, until it gets a new one', async () => {
    await set("secret = 'other.key.sealed'");
    await task();
    await deliver(world);
    expect(await state()).toMatchObject({ status: 'stopped', stopReason: 'secret_unreadable' });
    expect(receiver.got).toEqual([]);
    const { token } = world.people.owner;
    expect((await api(token).post(`/webhooks/${hook.id}/test`)).status).toBe(400);
    await api(token).post(`/webhooks/${hook.id}/rotate-secret`);
    await api(token).patch(`/webhooks/${hook.id}`, { status: 'active' });
    await deliver(world);
    expect(receiver.got).toHaveLength(1);
  });
});

describe('a wake-up that was lost', () => {
  it('is made up for by the cron', async () => {
    // As a worker of another version would: the event is there, and nobody was told.
    await cellOf(world.cell)
      .prepare(
        "INSERT INTO events (ws, seq, type, actor, via, occurred_at) SELECT ?1, coalesce(max(seq), 0) + 1, 'task.updated', ?2, 'system', ?3 FROM events WHERE ws = ?1",
      )
      .bind(world.no, world.people.owner.member, Date.now())
      .run();
    expect(receiver.got).toEqual([]);
    const context = createExecutionContext();
    await runScheduled(
      { cron: '* * * * *', scheduledTime: Date.now(), noRetry: () => undefined },
      env,
      context,
    );
    await waitOnExecutionContext(context);
    await vi.waitUntil(() => receiver.got.length === 1, { timeout: 10_000 });
  });
});
