import { evictDurableObject } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import type { HitOptions } from '../../../src/kernel/rate-limit/rate-window.ts';
import { hashSecret } from '../../../src/kernel/secrets/tokens.ts';
import { api, ORIGIN, send } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { createApiKey, createTask, createWorld } from '../../support/world.ts';

const ENFORCED_LIMIT = { ENFORCE_REST_RATE_LIMIT: 'true' };
const REQUESTS_MAX = 300;

const getWindow = (key: string) => env.RATE_WINDOW.getByName(`rest:${hashSecret(key)}`);
/** Uses up all but `left` of the window's requests without sending any. */
async function useUpLimit(key: string, left: number) {
  for (let hit = 0; hit < REQUESTS_MAX - left; hit += 1) await getWindow(key).hit(REQUESTS_MAX, 15 * 60_000);
}

describe("a credential's REST rate limit", () => {
  it('is reported in responses to requests with a valid credential, and in no other response', async () => {
    const world = await createWorld();
    const key = await createApiKey(world.people.owner);
    const first = await api(key).get('/me');
    expect(first.headers.get('X-RateLimit-Limit')).toBe('300');
    expect(first.headers.get('X-RateLimit-Remaining')).toBe('299');
    expect(Number(first.headers.get('X-RateLimit-Reset'))).toBeGreaterThan(890);
    expect((await api(key).get('/tasks/999999')).headers.get('X-RateLimit-Remaining')).toBe('298');
    expect((await api(key).post('/tasks', {})).headers.get('X-RateLimit-Remaining')).toBe('297');
    expect((await api().get('/me')).headers.has('X-RateLimit-Limit')).toBe(false);
    expect((await api('ew_live_nonsense').get('/me')).headers.has('X-RateLimit-Limit')).toBe(false);
  });

  it('counts requests to unknown paths', async () => {
    const world = await createWorld();
    const key = await createApiKey(world.people.owner);
    await useUpLimit(key, 1);
    // `api` accepts only documented endpoints.
    const requestUnknownPath = (credential: string) => {
      const headers = { Authorization: `Bearer ${credential}` };
      return send(new Request(`${ORIGIN}/v1/nothing`, { headers }), ENFORCED_LIMIT);
    };
    expect((await requestUnknownPath(key)).status).toBe(404);
    const rejected = await requestUnknownPath(key);
    expect(rejected.status).toBe(429);
    expect(rejected.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(Number(rejected.headers.get('Retry-After'))).toBeGreaterThan(0);
    const stranger = await requestUnknownPath('ew_live_nonsense');
    expect([stranger.status, stranger.headers.has('X-RateLimit-Limit')]).toEqual([404, false]);
  });

  it('counts every request, with one call to the Durable Object per eight requests', async () => {
    const world = await createWorld();
    const key = await createApiKey(world.people.owner);
    const reports: number[] = [];
    const watched = {
      getByName: (name: string) => ({
        hit: (limit: number, windowMs: number, options: HitOptions) => {
          reports.push(options.hits ?? 1);
          return env.RATE_WINDOW.getByName(name).hit(limit, windowMs, options);
        },
      }),
    } as unknown as Env['RATE_WINDOW'];
    const left: number[] = [];
    for (let sent = 0; sent < 18; sent += 1) {
      const { headers } = await api(key, { RATE_WINDOW: watched }).get('/notifications/count');
      left.push(Number(headers.get('X-RateLimit-Remaining')));
    }
    expect(left).toEqual(Array.from({ length: 18 }, (_, index) => 299 - index));
    expect(reports).toEqual([1, 8, 8]);
    // The response to the next report includes requests counted by other isolates, which `useUpLimit` imitates.
    await useUpLimit(key, 200);
    for (let sent = 0; sent < 7; sent += 1) await api(key).get('/notifications/count');
    const { headers } = await api(key).get('/notifications/count');
    expect(headers.get('X-RateLimit-Remaining')).toBe(String(300 - 18 - 100 - 8));
  });

  it('is reported but not enforced by default', async () => {
    const world = await createWorld();
    const key = await createApiKey(world.people.owner);
    await useUpLimit(key, 0);
    const answer = await api(key).get('/me');
    expect([answer.status, answer.headers.get('X-RateLimit-Remaining')]).toEqual([200, '0']);
  });

  it('allows 300 requests and rejects the 301st with Retry-After, even after an eviction', async () => {
    const world = await createWorld();
    const key = await createApiKey(world.people.owner);
    const me = api(key, ENFORCED_LIMIT);
    const statuses: number[] = [];
    for (let sent = 0; sent < REQUESTS_MAX; sent += 1)
      statuses.push((await me.get('/notifications/count')).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    for (const evicted of [false, true]) {
      if (evicted) await evictDurableObject(getWindow(key));
      const rejected = await me.get('/notifications/count');
      expect([rejected.status, rejected.body.error.code]).toEqual([429, 'rate_limited']);
      const wait = Number(rejected.headers.get('Retry-After'));
      expect(wait).toBeGreaterThan(800);
      expect(wait).toBeLessThanOrEqual(900);
      expect(rejected.headers.get('X-RateLimit-Reset')).toBe(String(wait));
    }
  });

  it('is enforced per plan, but reported as 300 on every plan', async () => {
    const variables = { ...ENFORCED_LIMIT, RATE_LIMIT_PRO: '1000' };
    for (const [plan, used, statuses] of [
      ['pro', 999, [200, 429]],
      ['medium', 299, [200, 429]],
    ] as const) {
      const world = await createWorld({ plan });
      const key = await createApiKey(world.people.owner);
      const limit = plan === 'pro' ? 1000 : REQUESTS_MAX;
      await getWindow(key).hit(limit, 15 * 60_000, { hits: used });
      const answers = [await api(key, variables).get('/me'), await api(key, variables).get('/me')];
      expect(answers.map(({ status }) => status)).toEqual(statuses);
      for (const { headers } of answers) {
        expect(headers.get('X-RateLimit-Limit')).toBe('300');
        expect(headers.get('X-RateLimit-Remaining')).toBe('0');
      }
    }
    const fresh = await createApiKey((await createWorld()).people.owner);
    expect((await api(fresh, variables).get('/me')).headers.get('X-RateLimit-Remaining')).toBe('299');
  });

  it('rejects a request before anything is written', async () => {
    const world = await createWorld();
    const task = await createTask(world.people.owner, world.projects.joined.id);
    const key = await createApiKey(world.people.owner);
    await useUpLimit(key, 0);
    const rejected = await api(key, ENFORCED_LIMIT).patch(`/tasks/${task.id}`, { name: 'too much' });
    expect([rejected.status, rejected.cost.rowsWritten]).toEqual([429, 0]);
    expect((await api(world.people.owner.token).get(`/tasks/${task.id}`)).body).toEqual(task);
  });

  it('is neither enforced nor reported if the counter fails', async () => {
    const world = await createWorld();
    const key = await createApiKey(world.people.owner);
    const broken = {
      getByName: () => ({ hit: () => Promise.reject(new Error('Durable Object reset')) }),
    } as unknown as Env['RATE_WINDOW'];
    const answer = await api(key, { ...ENFORCED_LIMIT, RATE_WINDOW: broken }).get('/me');
    expect([answer.status, answer.headers.has('X-RateLimit-Limit')]).toEqual([200, false]);
  });

  it("is neither enforced nor reported if the counter doesn't respond", async () => {
    const world = await createWorld();
    const key = await createApiKey(world.people.owner);
    const silent = {
      getByName: () => ({ hit: () => new Promise(() => undefined) }),
    } as unknown as Env['RATE_WINDOW'];
    for (const variables of [{ RATE_WINDOW: silent }, { RATE_WINDOW: silent, ...ENFORCED_LIMIT }]) {
      const answer = await api(key, variables).get('/me');
      expect([answer.status, answer.headers.has('X-RateLimit-Limit')]).toEqual([200, false]);
    }
  });
});

describe('the plan check for API keys', () => {
  it("rejects a free workspace's keys until the workspace upgrades, but only if the deployment enforces plans", async () => {
    const world = await createWorld({ plan: 'free' });
    const key = await createApiKey(world.people.owner);
    const gated = api(key, { ENFORCE_API_KEY_PLAN: 'true' });
    expect((await api(key).get('/me')).status).toBe(200);
    const rejected = await gated.get('/me');
    expect([rejected.status, rejected.body.error.code]).toEqual([403, 'forbidden_plan']);
    await getCell(0).prepare("UPDATE workspaces SET plan = 'medium' WHERE no = ?").bind(world.no).run();
    expect((await gated.get('/me')).status).toBe(200);
    expect((await api(world.people.owner.token, { ENFORCE_API_KEY_PLAN: 'true' }).get('/me')).status).toBe(
      200,
    );
  });
});
