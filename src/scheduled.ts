import { parseEnv } from './env.ts';
import { describeError, log } from './kernel/operation/log.ts';
import { createRequestScope, type RequestScope } from './kernel/operation/request-scope.ts';
import { Budget } from './kernel/sql/budget.ts';
import type { Database } from './kernel/sql/database.ts';
import { findJobPosition, saveJobPosition } from './kernel/sql/positions.queries.ts';
import { writeDataPoint } from './kernel/telemetry/data-points.ts';
import { wrapEnv } from './upkeep/cron/counted-env.ts';
import { listDueJobs } from './upkeep/cron/due-jobs.ts';
import { orderJobs, runJobs } from './upkeep/cron/run-jobs.ts';

/** Cloudflare allows 1,000 statements and calls per invocation. */
const CALLS_MAX = 900;
/** Reserves one call for storing which job goes first in the next tick. */
const CALLS_RESERVED = 1;
const MINUTE_MS = 60_000;

/**
 * Runs the jobs of one cron tick within one budget. A failed job doesn't stop the others, and a job that runs out of
 * budget goes first in the next tick.
 */
export async function runScheduled(
  controller: ScheduledController,
  env: Env,
  ctx: ExecutionContext,
): Promise<void> {
  const { cron } = controller;
  const budget = new Budget(CALLS_MAX);
  const counted = wrapEnv(env, budget);
  const scope = createRequestScope({
    env: counted,
    config: parseEnv(counted),
    origin: 'http://localhost',
    waitUntil: (work) => ctx.waitUntil(work),
  });
  const jobs = listDueJobs(cron, scope);
  if (!jobs) {
    log('error', 'cron.unknown', { cron });
    return;
  }
  const memory = new DelayedJobs(scope, cron);
  const waiting = await memory.read();
  const order = orderJobs(jobs, waiting, Math.floor(scope.now / MINUTE_MS));
  const cut = await runJobs(order, budget, CALLS_RESERVED);
  await memory.save(cut, waiting);
  const { meter } = scope;
  writeDataPoint(env, {
    kind: 'cron',
    name: cron,
    outcome: cut.length > 0 ? 'cut' : 'ok',
    ms: Date.now() - scope.now,
    database_ms: meter.databaseMs,
    trips: meter.trips,
    rows_read: meter.rowsRead,
    rows_written: meter.rowsWritten,
  });
  if (cut.length > 0)
    log('info', 'cron.cut', { cron, turns: cut.length, first: cut[0], calls: budget.spent });
}

/** The first cell stores which job goes first in the next tick. If that cell fails, the current minute decides. */
class DelayedJobs {
  readonly #home: Database | null;
  readonly #name: string;

  constructor(scope: RequestScope, cron: string) {
    const [first] = scope.config.cells.keys();
    this.#home = first === undefined ? null : scope.cell(first);
    this.#name = `cron ${cron}`;
  }

  async read(): Promise<string[]> {
    try {
      const [found] = (await this.#home?.batch([findJobPosition(this.#name)])) ?? [];
      return found ? (JSON.parse(found.position) as string[]) : [];
    } catch (error) {
      log('error', 'cron.forgot', { cause: describeError(error) });
      return [];
    }
  }

  async save(waiting: readonly string[], before: readonly string[]): Promise<void> {
    const position = JSON.stringify(waiting);
    if (position === JSON.stringify(before)) return;
    try {
      await this.#home?.batch([saveJobPosition(this.#name, position)]);
    } catch (error) {
      log('error', 'cron.forgot', { cause: describeError(error) });
    }
  }
}
