import { createExecutionContext } from 'cloudflare:test';
import { beforeAll, expect, it } from 'vitest';
import { parseEnv } from '../../../src/env.ts';
import { createRequestScope } from '../../../src/kernel/operation/request-scope.ts';
import { Budget, BudgetShare } from '../../../src/kernel/sql/budget.ts';
import { countEnvCalls } from '../../../src/upkeep/cron/counted-env.ts';
import { listJobs } from '../../../src/upkeep/cron/due-jobs.ts';
import { orderJobs, runJobs, type ScheduledJob } from '../../../src/upkeep/cron/run-jobs.ts';
import { env } from '../../support/env.ts';
import { createWorkForEveryJob, findMostCalls, runCronTick } from './cron-work.ts';

const MINUTE = '* * * * *';
const NIGHT = '17 3 * * *';

/** Creates jobs that always have more work. `costs` maps each job's name to the cost of one unit of its work. */
function createEndlessJobs(
  budget: Budget,
  costs: Record<string, number>,
  worked: Map<string, number>,
): ScheduledJob[] {
  return Object.entries(costs).map(([name, cost]) => ({
    name,
    cost,
    run: async (allowance) => {
      for (; allowance.left >= cost; worked.set(name, (worked.get(name) ?? 0) + 1)) budget.spend(cost);
      return true;
    },
  }));
}

it('the whole budget is used, and each of four jobs gets at least a fifth of it, whatever its unit of work costs', async () => {
  const budget = new Budget(100);
  const worked = new Map<string, number>();
  await runJobs(createEndlessJobs(budget, { a: 1, b: 10, c: 1, d: 5 }, worked), budget);
  expect(budget.left).toBe(0);
  for (const [name, cost] of Object.entries({ a: 1, b: 10, c: 1, d: 5 })) {
    expect((worked.get(name) ?? 0) * cost, name).toBeGreaterThanOrEqual(20);
  }
});

it('jobs that ran out of budget run first in the next tick, and every job gets its turn', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `turn ${index}`);
  const costs = Object.fromEntries(names.map((name, index) => [name, 1 + (index % 7) * 10]));
  const all = Object.values(costs).reduce((sum, cost) => sum + cost);
  const ticksMax = Math.ceil(all / (200 - 70)) + 1;
  const last = new Map(names.map((name) => [name, 0]));
  let waiting: string[] = [];
  for (let minute = 1; minute <= 60; minute += 1) {
    const budget = new Budget(200);
    const worked = new Map<string, number>();
    waiting = await runJobs(orderJobs(createEndlessJobs(budget, costs, worked), waiting, minute), budget);
    expect(budget.spent).toBeLessThanOrEqual(200);
    for (const name of worked.keys()) last.set(name, minute);
    for (const [name, minuteOfLast] of last)
      expect(minute - minuteOfLast, name).toBeLessThanOrEqual(ticksMax);
  }
});

it('a job is stopped before a call that would exceed the limit, even if the job declares a lower cost', async () => {
  const budget = new Budget(10);
  const scope = openScope(countEnvCalls(env, budget));
  const statement = { sql: 'SELECT 1 AS one', params: [], read: () => undefined };
  const liar: ScheduledJob = {
    name: 'liar',
    cost: 1,
    run: async () => {
      for (;;) await scope.directory.batch([statement, statement, statement]);
    },
  };
  expect(await runJobs([liar], budget)).toEqual([]);
  expect(budget.spent).toBe(9);
});

function openScope(bindings: Env) {
  const context = createExecutionContext();
  return createRequestScope({
    env: bindings,
    config: parseEnv(bindings),
    origin: 'http://localhost',
    waitUntil: (work) => context.waitUntil(work),
  });
}

beforeAll(createWorkForEveryJob);

it.each([MINUTE, NIGHT])(
  'one unit of work costs at most the amount that its job declares (cron: %s)',
  async (cron) => {
    const budget = new Budget(10_000);
    const bindings = {
      ...env,
      EMAIL: { send: async () => undefined } as unknown as SendEmail,
      // Webhook secrets are re-encrypted only during a rotation of the session secret.
      SESSION_SECRET_PREVIOUS: 'the-secret-before-0123456789-0123456789',
    };
    const scope = openScope(countEnvCalls(bindings, budget));
    const turns = [null, 0, 1].flatMap((cell) => listJobs(cron, cell, scope));
    expect(turns.length).toBeGreaterThan(2);
    for (const turn of turns) {
      const before = budget.spent;
      await turn.run(new BudgetShare(budget, turn.cost));
      const spent = budget.spent - before;
      expect(spent, turn.name).toBeGreaterThan(0);
      expect(spent, turn.name).toBeLessThanOrEqual(turn.cost);
    }
  },
);

it('jobs continue in the other cells when one cell fails entirely', async () => {
  const broken = {
    prepare: () => ({ bind: () => ({}) }),
    batch: () => Promise.reject(new Error('D1_ERROR: overloaded')),
  } as unknown as D1Database;
  const countRemaining = async () =>
    (await env.CELL_1.prepare('SELECT count(*) AS n FROM uploads WHERE expires_at = 1').first('n')) as number;
  const before = await countRemaining();
  expect(findMostCalls(await runCronTick(MINUTE, { bindings: { CELL_0: broken } }))).toBeLessThanOrEqual(900);
  expect(await countRemaining()).toBeLessThan(before);
});

it('overlapping cron runs stay within the call limit', async () => {
  const both = await Promise.all([
    runCronTick(MINUTE),
    runCronTick(MINUTE),
    runCronTick(NIGHT),
    runCronTick(NIGHT),
  ]);
  for (const seen of both) expect(findMostCalls(seen)).toBeLessThanOrEqual(900);
});
