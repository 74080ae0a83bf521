import { evictDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { env } from '../../support/env.ts';
import { freshAddress, freshIp, givePassword, PASSWORD } from '../../support/people.ts';
import { createWorld } from '../../support/world.ts';
import { type Asked, ask } from './asking.ts';
import { Faults, faultyWindows } from './faulty-files.ts';
import { whatIsOff } from './store.ts';

const failures = [
  ['reset', 'before'],
  ['reset', 'after'],
  ['overloaded', 'before'],
] as const;

it('every kind of request is served even if the rate limit counters are reset or overloaded', async () => {
  const world = await createWorld();
  const { member } = world.people;
  await givePassword(member.userId);
  const requests: [Asked, number][] = [
    [{ method: 'GET', path: '/tasks', person: member }, 200],
    [
      {
        method: 'POST',
        path: '/tasks',
        body: { projectId: world.projects.joined.id, name: 'x' },
        person: member,
      },
      201,
    ],
    [{ method: 'GET', path: '/tasks/999999', person: member }, 404],
    [
      {
        method: 'POST',
        path: '/auth/login',
        body: { email: member.email, password: PASSWORD },
        headers: { 'CF-Connecting-IP': freshIp() },
        person: null,
      },
      200,
    ],
    [
      {
        method: 'POST',
        path: '/auth/register',
        body: { email: freshAddress(), password: PASSWORD, name: 'Ada Test' },
        headers: { 'CF-Connecting-IP': freshIp() },
        person: null,
      },
      201,
    ],
  ];
  for (const [kind, moment] of failures) {
    for (const [request, status] of requests) {
      const faults = new Faults({ hit: moment });
      const RATE_WINDOW = faultyWindows(faults, kind) as Env['RATE_WINDOW'];
      const sent = request.path === '/auth/register' ? withFreshAddress(request) : request;
      for (const ENFORCE_REST_RATE_LIMIT of ['true', 'false']) {
        const answer = await ask(sent, null, { RATE_WINDOW, ENFORCE_REST_RATE_LIMIT });
        const expected =
          request.path === '/auth/register' && ENFORCE_REST_RATE_LIMIT === 'false' ? 400 : status;
        expect([answer.status, kind, moment, request.path]).toEqual([expected, kind, moment, request.path]);
        // The number of remaining requests is unknown, so the response doesn't contain it.
        expect(answer.headers.has('X-RateLimit-Remaining')).toBe(false);
      }
      expect(faults.failed).toBeGreaterThan(0);
    }
  }
  expect(await whatIsOff()).toEqual([]);
});

function withFreshAddress(request: Asked): Asked {
  return { ...request, body: { ...request.body, email: freshAddress() } };
}

it('failed sign-ins are counted even if the counter is evicted from memory', async () => {
  const world = await createWorld();
  const ip = freshIp();
  const attempt: Asked = {
    method: 'POST',
    path: '/auth/login',
    body: { email: world.people.member.email, password: 'not the password' },
    headers: { 'CF-Connecting-IP': ip },
    person: null,
  };
  for (let hit = 0; hit < 10; hit += 1) {
    expect((await ask(attempt, null)).status).toBe(401);
    await evictDurableObject(env.RATE_WINDOW.getByName(`login:ip:${ip}`));
  }
  expect((await ask(attempt, null)).status).toBe(429);
});
