// This file is long because REST, MCP, pages and forms are tested with the same exhausted budget.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HitOptions } from '../../../src/kernel/rate-limit/rate-window.ts';
import { formatWaitTime } from '../../../src/kernel/text/number-format.ts';
import { buildFramedRequest, createOAuthToken, post, sendRequest } from '../../mcp/client.ts';
import {
  createMeeting,
  generateMeetingsAt,
  listMeetingTasks,
  WEEKLY_RULE,
} from '../../meetings/meeting-fixtures.ts';
import { api, meteredEnv, readCost } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import { createApiKey, createWorld, type Person, type World } from '../../support/world.ts';
import { readHiddenFields, WorkspaceBrowser } from '../../web/server/workspace-browser.ts';

const MINUTE_MS = 60_000;
/**
 * A budget of 20 ms. A small batch is charged 1 ms, and is reported immediately because it is a twentieth of the
 * budget.
 */
const SMALL_BUDGET = { CELL_0: withZeroDuration(meteredEnv.CELL_0), DATABASE_BUDGET_PRO: '20' };

/** Creates a database whose batches report a duration of 0, so that small batches are charged the minimum of 1 ms. */
function withZeroDuration(database: D1Database): D1Database {
  return new Proxy(database, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== 'batch') return value.bind(target);
      return async (statements: D1PreparedStatement[]) => {
        const results = await target.batch(statements);
        return results.map((result) => ({ ...result, meta: { ...result.meta, duration: 0 } }));
      };
    },
  });
}

type CountHit = (name: string, limit: number, windowMs: number, options: HitOptions) => Promise<unknown>;

/** Replaces the counters of workspace budgets with `hit`. */
function createCounters(hit: CountHit): Partial<Env> {
  const counters = {
    getByName: (name: string) => {
      const real = env.RATE_WINDOW.getByName(name);
      if (!name.startsWith('work:')) return real;
      return {
        hit: (limit: number, windowMs: number, options: HitOptions) => hit(name, limit, windowMs, options),
      };
    },
  };
  return { RATE_WINDOW: counters as unknown as Env['RATE_WINDOW'] };
}

async function sendMany(count: number, person: Person, variables: Partial<Env>): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent += 1)
    statuses.push((await api(person.token, variables).get('/notifications/count')).status);
  return statuses;
}

async function useUpBudget(world: World, variables: Partial<Env> = SMALL_BUDGET): Promise<void> {
  const statuses = await sendMany(25, world.people.owner, variables);
  expect(statuses.slice(-3)).toEqual([429, 429, 429]);
}

let world: World;

beforeEach(async () => {
  world = await createWorld();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a workspace that has used up its budget', () => {
  it('gets 429 with Retry-After over REST before any statement runs, while other workspaces are served', async () => {
    const other = await createWorld();
    const key = await createApiKey(world.people.admin);
    await api(key, SMALL_BUDGET).get('/me');
    await useUpBudget(world);
    const rejected = await api(key, SMALL_BUDGET).post('/tasks', {
      name: 'x',
      projectId: world.projects.joined.id,
    });
    expect([rejected.status, rejected.body.error.code]).toEqual([429, 'rate_limited']);
    const seconds = Number(rejected.headers.get('Retry-After'));
    expect(seconds).toBeGreaterThan(30);
    expect(seconds).toBeLessThanOrEqual(61);
    expect(rejected.body.error.message).toBe(
      `This workspace is very busy. Try again in ${formatWaitTime(seconds)}.`,
    );
    expect(rejected.cost.statements).toBe(0);
    expect(rejected.headers.get('X-RateLimit-Limit')).toBe('300');
    expect(await sendMany(3, other.people.owner, SMALL_BUDGET)).toEqual([200, 200, 200]);
  });

  it('gets 429 from the MCP endpoint', async () => {
    const token = await createOAuthToken(world, world.people.member);
    expect((await sendRequest('legacy', token, 'tools/list')).status).toBe(200);
    await useUpBudget(world);
    const { body, headers } = buildFramedRequest('legacy', 'tools/call', {
      name: 'find_tasks',
      arguments: {},
    });
    const rejected = await post(token, body, { headers, variables: SMALL_BUDGET });
    expect([rejected.status, Number(rejected.headers.get('Retry-After')) > 0]).toEqual([429, true]);
    expect(await rejected.json()).toMatchObject({ error: { code: 'rate_limited' } });
    expect(readCost(rejected.headers).statements).toBe(0);
  });

  it('gets a page that explains the limit, with a link to try again', async () => {
    const member = await WorkspaceBrowser.signIn(world, world.people.member);
    await member.open('/projects');
    await useUpBudget(world);
    const rejected = await member.browser.get(`${member.base}/projects?page=1`, SMALL_BUDGET);
    expect([rejected.status, Number(rejected.headers.get('Retry-After')) > 0]).toEqual([429, true]);
    expect(readCost(rejected.headers).statements).toBe(0);
    const html = await rejected.text();
    expect(html).toMatch(
      /<p role="alert">This workspace is very busy. Try again in (?:\d+ seconds|1 minute).<\/p>/,
    );
    expect(html).toContain(`href="${member.base}/projects?page=1">Try again</a>`);
    // The page isn't marked as one of the app's screens, so the app's scripts show only its message.
    expect(html).not.toContain('<body class="screen');
    expect((await member.browser.get(`${member.base}/tasks.csv`, SMALL_BUDGET)).status).toBe(429);
  });

  it('gets back the text of a rejected form, which can be resubmitted and takes effect once', async () => {
    const member = await WorkspaceBrowser.signIn(world, world.people.member);
    const { body: task } = await api(world.people.member.token).post('/tasks', {
      projectId: world.projects.joined.id,
      name: 'Paint the fence',
    });
    const action = `${member.base}/tasks/${task.id}/comments`;
    const form = readHiddenFields((await member.open(`/tasks/${task.id}`)).html, action);
    await useUpBudget(world);
    const typed = { ...form, content: 'Two coats "at least" <please>' };
    const rejected = await member.browser.post(action, typed, {}, SMALL_BUDGET);
    const html = await rejected.text();
    expect([rejected.status, Number(rejected.headers.get('Retry-After')) > 0]).toEqual([429, true]);
    expect(html).toContain('Nothing has been saved yet.');
    expect(html).toContain('What you entered');
    const again = readHiddenFields(html, action);
    expect(again).toMatchObject(typed);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + MINUTE_MS + 1_000 });
    for (const time of [1, 2]) {
      const sent = await member.browser.post(action, again);
      expect([time, sent.status]).toEqual([time, 303]);
    }
    const comments = await api(world.people.member.token).get(`/tasks/${task.id}/comments`);
    expect(comments.body.data.map(({ content }: { content: string }) => content)).toEqual([typed.content]);
  });

  it('is still served by cron jobs', async () => {
    const { id } = await createMeeting(world, { recurrence: WEEKLY_RULE });
    await useUpBudget(world);
    await generateMeetingsAt('2026-03-02T09:00:00Z');
    expect(await listMeetingTasks(world, id)).toHaveLength(4);
  });

  it('is served again once the minute is over', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    await useUpBudget(world);
    vi.setSystemTime(Date.now() + MINUTE_MS + 1_000);
    expect(await sendMany(3, world.people.owner, SMALL_BUDGET)).toEqual([200, 200, 200]);
  });
});

describe("a workspace's database budget", () => {
  it('depends on its plan', async () => {
    const free = await createWorld({ plan: 'free' });
    const variables = { ...SMALL_BUDGET, DATABASE_BUDGET_PRO: '1000', DATABASE_BUDGET_FREE: '5' };
    expect(await sendMany(8, free.people.owner, variables)).toEqual([
      ...[200, 200, 200, 200, 200, 200],
      ...[429, 429],
    ]);
    expect(new Set(await sendMany(8, world.people.owner, variables))).toEqual(new Set([200]));
  });

  it('rejects requests once the configured milliseconds per minute are exceeded', async () => {
    const statuses = await sendMany(23, world.people.owner, SMALL_BUDGET);
    expect(statuses).toEqual([...Array(21).fill(200), 429, 429]);
  });

  it('counts rows as well as time', async () => {
    const reports: number[] = [];
    const counters = createCounters(async (name, limit, windowMs, options) => {
      reports.push(options.hits ?? 1);
      return env.RATE_WINDOW.getByName(name).hit(limit, windowMs, options);
    });
    const owner = api(world.people.owner.token, { ...SMALL_BUDGET, ...counters, DATABASE_BUDGET_PRO: '200' });
    const { cost } = await owner.post('/tasks/bulk', {
      tasks: Array.from({ length: 50 }, (_, index) => ({
        projectId: world.projects.joined.id,
        name: `Task ${index}`,
      })),
    });
    expect(reports).toHaveLength(1);
    const written = cost.rowsWritten / 20;
    expect(reports[0]).toBeGreaterThan(written);
    expect(reports[0]).toBeLessThan(written + cost.rowsRead / 1_000 + cost.trips);
  });

  it('has its usage reported in steps of 5%, so ordinary workspaces cause no Durable Object calls', async () => {
    const reports: [string, number, number, number][] = [];
    const counters = createCounters(async (name, limit, windowMs, options) => {
      reports.push([name, limit, windowMs, options.hits ?? 1]);
      return env.RATE_WINDOW.getByName(name).hit(limit, windowMs, options);
    });
    const usual = { ...SMALL_BUDGET, ...counters, DATABASE_BUDGET_PRO: '30000' };
    await sendMany(40, world.people.owner, usual);
    expect(reports).toEqual([]);

    const other = await createWorld();
    await sendMany(45, other.people.owner, { ...usual, DATABASE_BUDGET_PRO: '200' });
    expect(reports).toEqual(Array(4).fill([`work:0/${other.no}`, 200, MINUTE_MS, 10]));
  });

  it("ignores usage that isn't reported within a minute", async () => {
    const reports: number[] = [];
    const counters = createCounters(async (name, limit, windowMs, options) => {
      reports.push(options.hits ?? 1);
      return env.RATE_WINDOW.getByName(name).hit(limit, windowMs, options);
    });
    const variables = { ...SMALL_BUDGET, ...counters, DATABASE_BUDGET_PRO: '200' };
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    for (let minute = 0; minute < 3; minute += 1) {
      await sendMany(9, world.people.owner, variables);
      vi.setSystemTime(Date.now() + MINUTE_MS);
    }
    expect(reports).toEqual([]);
  });

  it('never stops a request halfway', async () => {
    const tiny = { ...SMALL_BUDGET, DATABASE_BUDGET_PRO: '1' };
    const token = await createOAuthToken(world, world.people.lead);
    const tasks = ['One', 'Two', 'Three'].map((name) => ({ project: world.projects.joined.id, name }));
    const { body, headers } = buildFramedRequest('legacy', 'tools/call', {
      name: 'create_task',
      arguments: { tasks },
    });
    const created = await post(token, body, { headers, variables: tiny });
    expect([created.status, await created.json()]).toMatchObject([200, { result: { content: [{}] } }]);
    const listed = await api(world.people.lead.token).get('/tasks?scope=all');
    expect(listed.body.meta.total).toBe(3);
    const later = await sendMany(2, world.people.lead, tiny);
    expect(later).toEqual([200, 429]);
  });

  it('allows requests and logs an error if the Durable Object fails', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const counters = createCounters(() => Promise.reject(new Error('Durable Object reset')));
    const statuses = await sendMany(25, world.people.owner, { ...SMALL_BUDGET, ...counters });
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(logged.mock.calls.flat().join()).toContain('rate_limit.unavailable');
    logged.mockRestore();
  });

  it("never delays requests if the Durable Object doesn't respond, and reports the usage later", async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let isSilent = true;
    let reports = 0;
    const counters = createCounters((name, limit, windowMs, options) => {
      reports += 1;
      if (isSilent) return new Promise(() => undefined);
      return env.RATE_WINDOW.getByName(name).hit(limit, windowMs, options);
    });
    const variables = { ...SMALL_BUDGET, ...counters };
    const many = Array.from({ length: 10 }, () => sendMany(3, world.people.owner, variables));
    expect(new Set((await Promise.all(many)).flat())).toEqual(new Set([200]));
    expect(reports).toBeLessThanOrEqual(3);
    expect(logged.mock.calls.flat().join()).toContain('rate_limit.unavailable');
    isSilent = false;
    await useUpBudget(world, variables);
    logged.mockRestore();
  });
});
