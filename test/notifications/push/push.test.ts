// This file is long because all its tests collect and deliver notifications with the same helpers.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import worker from '../../../src/index.ts';
import type { PushTask } from '../../../src/notifications/push/push-task.ts';
import { findVapidKey } from '../../../src/notifications/push/vapid.ts';
import {
  BATCHES_MAX,
  createFaultyD1,
  type FaultyD1,
  failNthBatch,
  faults,
} from '../../suites/faults/faulty-d1.ts';
import { api } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { collectAndDeliver, collectTasks, emptyPushTables } from './collect.ts';
import { openPushServices, openSubscribedBrowser } from './push-service.ts';

const HOUR_MS = 60 * 60_000;
let world: World;
let task: { id: number; name: string };

beforeEach(async () => {
  openPushServices();
  await emptyPushTables();
  world = await createWorld();
  task = await createTask(world.people.owner, world.projects.other.id, { name: 'Plan <b>' });
  await collectAndDeliver();
});
afterEach(() => vi.restoreAllMocks());

/** Returns the delays in seconds of the messages that the consumer retries. */
async function consume(tasks: readonly PushTask[], { attempts = 1, now = Date.now(), variables = {} } = {}) {
  const delays: number[] = [];
  const messages = tasks.map((body) => ({
    body,
    attempts,
    retry: ({ delaySeconds }: { delaySeconds: number }) => delays.push(delaySeconds),
  }));
  vi.useFakeTimers({ now, toFake: ['Date'] });
  try {
    const batch = { queue: 'edgework-push', messages } as unknown as MessageBatch;
    const context = { waitUntil: () => undefined } as unknown as ExecutionContext;
    await worker.queue(batch, { ...env, ...variables }, context);
  } finally {
    vi.useRealTimers();
  }
  return delays;
}

const mention = (person: Person, by: Person, text = 'please look') =>
  api(by.token).post(`/tasks/${task.id}/comments`, { content: `@[${person.userId}], ${text}` });
const countSubscriptions = () =>
  env.DIRECTORY.prepare('SELECT count(*) AS n FROM push_subscriptions').first('n');

describe('push notifications', () => {
  it('arrive once in each browser that turned them on, encrypted and signed', async () => {
    const { owner, member } = world.people;
    const laptop = await openSubscribedBrowser(world, owner);
    const phone = await openSubscribedBrowser(world, owner);
    const other = await openSubscribedBrowser(world, member);
    await mention(owner, member);
    await collectAndDeliver();
    await collectAndDeliver();
    expect([laptop, phone, other].map(({ received }) => received.length)).toEqual([1, 1, 0]);
    const [message] = laptop.received;
    expect(message?.payload).toEqual({
      title: `${member.name} mentioned you in Plan <b>`,
      body: `@${owner.name}, please look`,
      path: `/app/${world.id}/tasks/${task.id}`,
      tag: expect.stringMatching(/^n0-\d+$/),
      id: expect.any(Number),
    });
    const headers = Object.fromEntries(message?.headers ?? []);
    expect(headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      topic: expect.stringMatching(/^[\w-]{32}$/),
      ttl: '3600',
      urgency: 'normal',
    });
    expect(message?.token).toMatchObject({
      key: (await findVapidKey(env.VAPID_PRIVATE_KEY ?? ''))?.publicKey,
      claims: { aud: 'https://updates.push.services.mozilla.com', sub: 'mailto:no-reply@edgework.test' },
    });
    expect(headers.topic).not.toBe(phone.received[0]?.headers.get('topic'));
  });

  it('are queued without text', async () => {
    await openSubscribedBrowser(world, world.people.owner);
    await mention(world.people.owner, world.people.member, 'secret words');
    const [queued] = await collectTasks();
    expect(queued).toEqual({
      sessionHash: expect.any(String),
      cell: 0,
      after: expect.any(Number),
      upto: expect.any(Number),
    });
  });

  it('are summed up if more than three arrive at once', async () => {
    const { owner, member } = world.people;
    const browser = await openSubscribedBrowser(world, owner);
    for (let round = 0; round < 3; round += 1) await mention(owner, member, `round ${round}`);
    await collectAndDeliver();
    expect(browser.received.map(({ payload }) => payload.body.slice(-7))).toEqual([
      'round 0',
      'round 1',
      'round 2',
    ]);
    for (let round = 0; round < 4; round += 1) await mention(owner, member);
    await collectAndDeliver();
    expect(browser.received.slice(3).map(({ payload }) => payload)).toEqual([
      {
        title: '4 new notifications',
        body: `${member.name} mentioned you in Plan <b>`,
        path: `/app/${world.id}/inbox`,
        tag: expect.stringMatching(/^s0-\d+$/),
      },
    ]);
  });

  it('are sent only for the chosen types', async () => {
    const { owner, member } = world.people;
    const browser = await openSubscribedBrowser(world, owner);
    const comment = (content: string) => api(member.token).post(`/tasks/${task.id}/comments`, { content });
    await comment('A comment is off by default');
    await collectAndDeliver();
    expect(browser.received).toEqual([]);
    const chosen = await browser.screens.send('/inbox/mail', '/inbox/push/types', { types: 'comment_added' });
    expect(chosen.status).toBe(303);
    await mention(owner, member, 'no longer chosen');
    await comment('Chosen');
    await collectAndDeliver();
    expect(browser.received.map(({ payload }) => payload.body)).toEqual(['Chosen']);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['has read them', () => api(world.people.client.token).put('/notifications/read-all')],
    [
      'has left the workspace',
      () =>
        getCell(0)
          .prepare('UPDATE members SET ended_at = 1 WHERE no = ?')
          .bind(world.people.client.member)
          .run(),
    ],
    [
      'has signed out',
      () =>
        env.DIRECTORY.prepare('DELETE FROM browser_sessions WHERE user_id = ?')
          .bind(world.people.client.userId)
          .run(),
    ],
    [
      'no longer wants this type',
      () =>
        env.DIRECTORY.prepare("INSERT INTO push_preferences (user_id, types) VALUES (?, '[]')")
          .bind(world.people.client.userId)
          .run(),
    ],
  ])('are not sent if the person %s after they were queued', async (_, change) => {
    const { owner, client } = world.people;
    const browser = await openSubscribedBrowser(world, client);
    await api(owner.token).patch(`/tasks/${task.id}`, { assigneeId: client.userId });
    const queued = await collectTasks();
    expect(queued).toHaveLength(1);
    await change();
    expect(await consume(queued)).toEqual([]);
    expect(browser.received).toEqual([]);
  });

  it('are not sent when they are more than an hour old', async () => {
    const browser = await openSubscribedBrowser(world, world.people.owner);
    await mention(world.people.owner, world.people.member);
    const queued = await collectTasks();
    expect(await consume(queued, { now: Date.now() + HOUR_MS + 1 })).toEqual([]);
    expect(browser.received).toEqual([]);
    await consume(queued, { now: Date.now() + HOUR_MS - 60_000 });
    expect(browser.received).toHaveLength(1);
  });

  it.each(['', btoa('\0'.repeat(32))])(
    'start with the next notification when a deployment replaces the key "%s"',
    async (key) => {
      const { owner, member } = world.people;
      const browser = await openSubscribedBrowser(world, owner);
      await mention(owner, member, 'before');
      expect(await collectTasks({ VAPID_PRIVATE_KEY: key })).toEqual([]);
      await mention(owner, member, 'after');
      await collectAndDeliver();
      expect(browser.received.map(({ payload }) => payload.body.slice(-6))).toEqual([' after']);
    },
  );
});

describe('a push service that', () => {
  it.each([
    [429, '600', [600, 600]],
    [503, null, [60, 240]],
    [500, 'Thu, 01 Jan 1970 00:00:00 GMT', [60, 240]],
    [null, null, [60, 240]],
  ])(
    'fails with %s and Retry-After %s gets the message again after %s seconds',
    async (status, after, waits) => {
      const browser = await openSubscribedBrowser(world, world.people.owner);
      browser.answer = () => {
        if (status === null) throw new Error('connection refused');
        return new Response(null, { status, headers: after === null ? {} : { 'Retry-After': after } });
      };
      await mention(world.people.owner, world.people.member);
      const queued = await collectTasks();
      expect([await consume(queued), await consume(queued, { attempts: 3 })]).toEqual(
        waits.map((wait) => [wait]),
      );
      browser.answer = () => new Response(null, { status: 201 });
      expect(await consume(queued, { attempts: 4 })).toEqual([]);
      expect(new Set(browser.received.map(({ payload }) => JSON.stringify(payload))).size).toBe(1);
    },
  );

  it('asks for more than an hour gets no second attempt', async () => {
    const browser = await openSubscribedBrowser(world, world.people.owner);
    browser.answer = () => new Response(null, { status: 503, headers: { 'Retry-After': '86400' } });
    await mention(world.people.owner, world.people.member);
    expect(await consume(await collectTasks())).toEqual([]);
  });

  it("doesn't respond delays no other", async () => {
    const { owner, member } = world.people;
    const browsers = await Promise.all(
      Array.from({ length: 7 }, (_, index) => openSubscribedBrowser(world, index % 2 ? owner : member)),
    );
    const [hung] = browsers;
    if (hung) hung.answer = () => Promise.reject(new DOMException('timed out', 'TimeoutError'));
    await mention(owner, member);
    await mention(member, owner);
    const delays = await consume(await collectTasks());
    expect(delays).toEqual([60]);
    expect(browsers.map(({ received }) => received.length)).toEqual([1, 1, 1, 1, 1, 1, 1]);
  });

  it.each([404, 410])('returns %i ends the subscription', async (status) => {
    const browser = await openSubscribedBrowser(world, world.people.owner);
    browser.answer = () => new Response(null, { status });
    await mention(world.people.owner, world.people.member);
    expect(await consume(await collectTasks())).toEqual([]);
    expect(await countSubscriptions()).toBe(0);
    expect((await browser.screens.open('/inbox/mail')).html).toContain('are off in this browser');
  });

  it.each([400, 403, 413, 301])('rejects the message with %i gets it only once', async (status) => {
    const browser = await openSubscribedBrowser(world, world.people.owner);
    browser.answer = () => new Response(null, { status, headers: { Location: 'https://elsewhere.example' } });
    await mention(world.people.owner, world.people.member);
    expect(await consume(await collectTasks())).toEqual([]);
    expect([browser.received.length, await countSubscriptions()]).toEqual([1, 1]);
  });
});

describe('a notification is pushed, and replaces itself if it is sent again,', () => {
  const broken = (['DIRECTORY', 'CELL_0'] as const).flatMap((name) =>
    faults.map((fault) => [name, fault] as const),
  );
  it.each(broken)('whichever batch of %s is %s', async (name, fault) => {
    const { owner, member } = world.people;
    const browser = await openSubscribedBrowser(world, owner);
    for (let batch = 1; batch <= BATCHES_MAX; batch += 1) {
      const faulty: FaultyD1 = createFaultyD1(env[name], failNthBatch(batch, fault));
      await mention(owner, member, `round ${batch}`);
      const variables = { [name]: faulty.d1 };
      const queued: PushTask[] = [];
      await collectTasks(variables, queued).catch(() => undefined);
      const rest = await collectTasks();
      const delays = await consume(queued, { variables });
      if (delays.length > 0) await consume(queued);
      await consume(rest);
      const shown = new Map(
        browser.received.map(({ payload }) => [payload.tag, payload.body.split(', ')[1]]),
      );
      expect([...shown.values()]).toEqual(Array.from({ length: batch }, (_, index) => `round ${index + 1}`));
      await api(owner.token).put('/notifications/read-all');
      if (faulty.failed === 0) return;
    }
    throw new Error(`The run has more than ${BATCHES_MAX} batches`);
  });

  it('even if the queue rejects it at first', async () => {
    const browser = await openSubscribedBrowser(world, world.people.owner);
    await mention(world.people.owner, world.people.member);
    const PUSH_NOTIFICATIONS = { sendBatch: () => Promise.reject(new Error('unavailable')) } as never;
    await expect(collectTasks({ PUSH_NOTIFICATIONS })).rejects.toThrow('unavailable');
    await consume(await collectTasks());
    expect(browser.received).toHaveLength(1);
  });
});
