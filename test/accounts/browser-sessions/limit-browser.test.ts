import { beforeEach, describe, expect, it } from 'vitest';
import { hashSecret } from '../../../src/kernel/secrets/tokens.ts';
import { api, readCost } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import { createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';

const ENFORCED_LIMIT = { ENFORCE_REST_RATE_LIMIT: 'true' };
const REQUESTS_MAX = 20_000;
const WINDOW_MS = 15 * 60_000;

let world: World;
let member: WorkspaceBrowser;

beforeEach(async () => {
  world = await createWorld();
  member = await WorkspaceBrowser.signIn(world, world.people.member);
  await member.open('/projects');
});

const useUpLimit = ({ browser: { session = '' } }: WorkspaceBrowser) =>
  env.RATE_WINDOW.getByName(`page:${hashSecret(session)}`).hit(REQUESTS_MAX, WINDOW_MS, {
    hits: REQUESTS_MAX,
  });

describe('the request limit for a browser session', () => {
  it('rejects page requests, rejects forms without a database query, and affects no other session', async () => {
    await useUpLimit(member);
    const statuses: number[] = [];
    for (let sent = 0; sent < 3; sent += 1)
      statuses.push((await member.browser.get(`${member.base}/projects`, ENFORCED_LIMIT)).status);
    // The first page is served before the rate limiter responds.
    expect(statuses).toEqual([200, 429, 429]);
    const form = await member.browser.post(`${member.base}/settings`, { name: 'Mine' }, {}, ENFORCED_LIMIT);
    expect([form.status, readCost(form.headers).statements]).toEqual([429, 0]);
    expect(Number(form.headers.get('Retry-After'))).toBeGreaterThan(800);
    expect(await form.text()).toContain('Too many requests');

    const other = await WorkspaceBrowser.signIn(world, world.people.member);
    expect((await other.browser.get(`${other.base}/projects`, ENFORCED_LIMIT)).status).toBe(200);
    expect((await api(world.people.member.token, ENFORCED_LIMIT).get('/me')).status).toBe(200);
  });

  it('applies only if the deployment enforces limits', async () => {
    await useUpLimit(member);
    for (const sent of [1, 2, 3])
      expect([sent, (await member.open('/projects')).status]).toEqual([sent, 200]);
  });

  it('allows page requests while the counter is failing', async () => {
    const broken = {
      getByName: () => ({ hit: () => Promise.reject(new Error('Durable Object reset')) }),
    } as unknown as Env['RATE_WINDOW'];
    for (const sent of [1, 2, 3]) {
      const variables = { ...ENFORCED_LIMIT, RATE_WINDOW: broken };
      const answer = await member.browser.get(`${member.base}/projects`, variables);
      expect([sent, answer.status]).toEqual([sent, 200]);
    }
  });
});
