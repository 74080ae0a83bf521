import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseEnv } from '../../../src/env.ts';
import { createRequestScope } from '../../../src/kernel/operation/request-scope.ts';
import { unlimitedAllowance } from '../../../src/kernel/sql/budget.ts';
import { collectPush } from '../../../src/notifications/push/collect-push.ts';
import { deliverPush } from '../../../src/notifications/push/deliver-push.ts';
import { importVapidKey } from '../../../src/notifications/push/vapid.ts';
import {
  BATCHES_MAX,
  createFaultyD1,
  type FaultyD1,
  failNthBatch,
  faults,
} from '../../suites/faults/faulty-d1.ts';
import { api, ORIGIN } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { openPushServices, openSubscribedBrowser } from './push-service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
let world: World;
let task: { id: number; name: string };

beforeEach(async () => {
  openPushServices();
  const tables = ['push_messages', 'push_subscriptions', 'push_preferences', 'pushed_cells'];
  await env.DIRECTORY.batch(tables.map((table) => env.DIRECTORY.prepare(`DELETE FROM ${table}`)));
  world = await createWorld();
  task = await createTask(world.people.owner, world.projects.other.id, { name: 'Plan <b>' });
  await collect();
});
afterEach(() => vi.restoreAllMocks());

const openScopeAt = (now: number, variables: Partial<Env> = {}) =>
  createRequestScope({
    env: { ...env, ...variables },
    config: parseEnv({ ...env, ...variables } as Env),
    origin: ORIGIN,
    waitUntil: (work) => void work,
    now,
  });
const collect = (now = Date.now(), variables: Partial<Env> = {}) =>
  collectPush.run(openScopeAt(now, variables), 0, unlimitedAllowance);
const deliver = (now = Date.now(), variables: Partial<Env> = {}) =>
  deliverPush.run(openScopeAt(now, variables), unlimitedAllowance);
const mention = (person: Person, by: Person, text = 'please look') =>
  api(by.token).post(`/tasks/${task.id}/comments`, { content: `@[${person.userId}], ${text}` });
const count = (table: string) => env.DIRECTORY.prepare(`SELECT count(*) AS n FROM ${table}`).first('n');

describe('push notifications', () => {
  it('arrive once in each browser that turned them on, encrypted and signed', async () => {
    const { owner, member } = world.people;
    const laptop = await openSubscribedBrowser(world, owner);
    const phone = await openSubscribedBrowser(world, owner);
    const other = await openSubscribedBrowser(world, member);
    await mention(owner, member);
    await Promise.all([collect(), collect(), deliver()]);
    await collect();
    await deliver(Date.now() + HOUR_MS);
    expect([laptop, phone, other].map(({ received }) => received.length)).toEqual([1, 1, 0]);
    const [message] = laptop.received;
    expect(message?.payload).toEqual({
      title: `${member.name} mentioned you in Plan <b>`,
      body: `@${owner.name}, please look`,
      path: `/app/${world.id}/tasks/${task.id}`,
      tag: expect.stringMatching(/^n0-\d+$/),
    });
    const headers = Object.fromEntries(message?.headers ?? []);
    expect(headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      topic: expect.stringMatching(/^[\w-]{32}$/),
      ttl: '86400',
      urgency: 'normal',
    });
    expect(message?.token).toMatchObject({
      key: (await importVapidKey(env.VAPID_PRIVATE_KEY ?? '')).publicKey,
      claims: { aud: 'https://updates.push.services.mozilla.com', sub: 'mailto:no-reply@edgework.test' },
    });
    expect(headers.topic).not.toBe(phone.received[0]?.headers.get('topic'));
    expect(await count('push_messages')).toBe(0);
  });

  it('wait in the queue without readable text', async () => {
    const browser = await openSubscribedBrowser(world, world.people.owner);
    browser.answer = () => new Response(null, { status: 503 });
    await mention(world.people.owner, world.people.member, 'secret words');
    await collect();
    const row = await env.DIRECTORY.prepare('SELECT * FROM push_messages').first();
    expect(atob(String(row?.body))).not.toContain('secret');
    expect(JSON.stringify(row)).not.toContain('Plan');
  });

  it('are summed up if more than three arrive at once', async () => {
    const { owner, member } = world.people;
    const browser = await openSubscribedBrowser(world, owner);
    for (let round = 0; round < 3; round += 1) await mention(owner, member, `round ${round}`);
    await collect();
    expect(browser.received.map(({ payload }) => payload.body.slice(-7))).toEqual(
      expect.arrayContaining(['round 0', 'round 1', 'round 2']),
    );
    for (let round = 0; round < 4; round += 1) await mention(owner, member);
    await collect();
    expect(browser.received.slice(3).map(({ payload }) => payload)).toEqual([
      {
        title: '4 new notifications',
        body: `${member.name} mentioned you in Plan <b>`,
        path: `/app/${world.id}/inbox`,
        tag: expect.stringMatching(/^s0-\d+$/),
      },
    ]);
  });

  it('are sent only for the chosen types, and not for what is read, old or no longer visible', async () => {
    const { owner, member, client } = world.people;
    const browser = await openSubscribedBrowser(world, owner);
    const former = await openSubscribedBrowser(world, client);
    await api(member.token).post(`/tasks/${task.id}/comments`, { content: 'A comment is off by default' });
    await mention(owner, member, 'read at once');
    await api(owner.token).put('/notifications/read-all');
    await api(owner.token).patch(`/tasks/${task.id}`, { assigneeId: client.userId });
    await getCell(0).prepare('UPDATE members SET ended_at = 1 WHERE no = ?').bind(client.member).run();
    await collect();
    await mention(owner, member, 'too old');
    await collect(Date.now() + 2 * HOUR_MS);
    expect([...browser.received, ...former.received]).toEqual([]);
    const chosen = await browser.screens.send('/inbox/mail', '/inbox/push/types', { types: 'comment_added' });
    expect(chosen.status).toBe(303);
    await mention(owner, member, 'no longer chosen');
    await api(member.token).post(`/tasks/${task.id}/comments`, { content: 'Chosen' });
    await collect();
    expect(browser.received.map(({ payload }) => payload.body)).toEqual(['Chosen']);
  });

  it('start with the next notification when a deployment gets its key', async () => {
    const { owner, member } = world.people;
    await env.DIRECTORY.prepare('DELETE FROM pushed_cells').run();
    await mention(owner, member);
    const browser = await openSubscribedBrowser(world, owner);
    expect(await collect(Date.now(), { VAPID_PRIVATE_KEY: '' })).toBe(false);
    await collect();
    await collect();
    expect(browser.received).toEqual([]);
  });
});

describe('a push service that', () => {
  it.each([429, 500, 503, null])('fails with %s gets the message again later', async (status) => {
    const browser = await openSubscribedBrowser(world, world.people.owner);
    browser.answer = () => {
      if (status === null) throw new Error('connection refused');
      return new Response(null, { status, headers: { 'Retry-After': '600' } });
    };
    await mention(world.people.owner, world.people.member);
    await collect();
    browser.answer = () => new Response(null, { status: 201 });
    await deliver(Date.now() + (status === null ? 1 : 9) * MINUTE_MS);
    expect(browser.received).toHaveLength(1);
    await deliver(Date.now() + 11 * MINUTE_MS);
    await deliver(Date.now() + HOUR_MS);
    expect(browser.received).toHaveLength(2);
    expect(browser.received[1]?.payload).toEqual(browser.received[0]?.payload);
    expect(Number(browser.received[1]?.headers.get('TTL'))).toBeLessThan(86_400 - 10 * 60);
  });

  it.each([404, 410])('returns %i ends the subscription', async (status) => {
    const browser = await openSubscribedBrowser(world, world.people.owner);
    browser.answer = () => new Response(null, { status });
    await mention(world.people.owner, world.people.member);
    await collect();
    expect([await count('push_subscriptions'), await count('push_messages')]).toEqual([0, 0]);
    expect((await browser.screens.open('/inbox/mail')).html).toContain('are off in this browser');
  });

  it.each([400, 403, 413, 301])('rejects the message with %i gets it only once', async (status) => {
    const browser = await openSubscribedBrowser(world, world.people.owner);
    browser.answer = () => new Response(null, { status, headers: { Location: 'https://elsewhere.example' } });
    await mention(world.people.owner, world.people.member);
    await collect();
    await deliver(Date.now() + HOUR_MS);
    expect(browser.received).toHaveLength(1);
    expect([await count('push_subscriptions'), await count('push_messages')]).toEqual([1, 0]);
  });

  it('fails for a day gets no more attempts', async () => {
    const browser = await openSubscribedBrowser(world, world.people.owner);
    browser.answer = () => new Response(null, { status: 500 });
    await mention(world.people.owner, world.people.member);
    await collect();
    for (let hour = 1; hour <= 30; hour += 1) await deliver(Date.now() + hour * HOUR_MS);
    expect(browser.received.length).toBeLessThan(12);
    expect(await count('push_messages')).toBe(0);
  });
});

describe('a notification is pushed exactly once', () => {
  const broken = (['DIRECTORY', 'CELL_0'] as const).flatMap((name) =>
    faults.map((fault) => [name, fault] as const),
  );
  it.each(broken)('whichever batch of %s is %s', async (name, fault) => {
    const { owner, member } = world.people;
    const browser = await openSubscribedBrowser(world, owner);
    for (let batch = 1; batch <= BATCHES_MAX; batch += 1) {
      const faulty: FaultyD1 = createFaultyD1(env[name], failNthBatch(batch, fault));
      await mention(owner, member, `round ${batch}`);
      await collect(Date.now(), { [name]: faulty.d1 }).catch(() => undefined);
      await collect();
      await deliver(Date.now() + 5 * MINUTE_MS);
      expect(browser.received.map(({ payload }) => payload.body.split(', ')[1])).toEqual(
        Array.from({ length: batch }, (_, index) => `round ${index + 1}`),
      );
      await api(owner.token).put('/notifications/read-all');
      if (faulty.failed === 0) return;
    }
    throw new Error(`The run has more than ${BATCHES_MAX} batches`);
  });
});

it('a message without a subscription is dropped, and delays no other message', async () => {
  const browser = await openSubscribedBrowser(world, world.people.owner);
  await env.DIRECTORY.prepare(
    `INSERT INTO push_messages (session_hash, topic, urgency, body, next_attempt_at, expires_at)
      VALUES ('unknown', 'n0-1', 'normal', '', 1, 9999999999999)`,
  ).run();
  browser.answer = () => new Response(null, { status: 503 });
  await mention(world.people.owner, world.people.member);
  await collect();
  browser.answer = () => new Response(null, { status: 201 });
  await deliver(Date.now() + HOUR_MS);
  expect([browser.received.length, await count('push_messages')]).toEqual([2, 0]);
});
