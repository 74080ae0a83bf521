import { evictDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { env } from '../../support/env.ts';
import { createEmailAddress, createIpAddress, PASSWORD, setPassword } from '../../support/people.ts';
import { createWorld } from '../../support/world.ts';
import { findInconsistencies } from './databases.ts';
import { createFaultyWindows, StepFaults } from './faulty-files.ts';
import { sendTestRequest, type TestRequest } from './test-requests.ts';

const failures = [
  ['reset', 'before'],
  ['reset', 'after'],
  ['overloaded', 'before'],
] as const;

it('requests are served even if the rate limit counters are reset or overloaded', async () => {
  const world = await createWorld();
  const { member } = world.people;
  await setPassword(member.userId);
  const requests: [TestRequest, number][] = [
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
        headers: { 'CF-Connecting-IP': createIpAddress() },
        person: null,
      },
      200,
    ],
    [
      {
        method: 'POST',
        path: '/auth/register',
        body: { email: createEmailAddress(), password: PASSWORD, name: 'Ada Test' },
        headers: { 'CF-Connecting-IP': createIpAddress() },
        person: null,
      },
      201,
    ],
  ];
  for (const [kind, moment] of failures) {
    for (const [request, status] of requests) {
      const faults = new StepFaults({ hit: moment });
      const RATE_WINDOW = createFaultyWindows(faults, kind) as Env['RATE_WINDOW'];
      const sent = request.path === '/auth/register' ? withFreshAddress(request) : request;
      for (const ENFORCE_REST_RATE_LIMIT of ['true', 'false']) {
        const answer = await sendTestRequest(sent, null, { RATE_WINDOW, ENFORCE_REST_RATE_LIMIT });
        const expected =
          request.path === '/auth/register' && ENFORCE_REST_RATE_LIMIT === 'false' ? 400 : status;
        expect([answer.status, kind, moment, request.path]).toEqual([expected, kind, moment, request.path]);
        // The number of remaining requests is unknown, so the response doesn't contain it.
        expect(answer.headers.has('X-RateLimit-Remaining')).toBe(false);
      }
      expect(faults.failed).toBeGreaterThan(0);
    }
  }
  expect(await findInconsistencies()).toEqual([]);
});

function withFreshAddress(request: TestRequest): TestRequest {
  return { ...request, body: { ...request.body, email: createEmailAddress() } };
}

it('failed sign-ins are counted even if the counter is evicted from memory', async () => {
  const world = await createWorld();
  const ip = createIpAddress();
  const attempt: TestRequest = {
    method: 'POST',
    path: '/auth/login',
    body: { email: world.people.member.email, password: 'not the password' },
    headers: { 'CF-Connecting-IP': ip },
    person: null,
  };
  for (let hit = 0; hit < 10; hit += 1) {
    expect((await sendTestRequest(attempt, null)).status).toBe(401);
    await evictDurableObject(env.RATE_WINDOW.getByName(`login:ip:${ip}`));
  }
  expect((await sendTestRequest(attempt, null)).status).toBe(429);
});
