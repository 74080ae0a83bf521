import { DurableObject } from 'cloudflare:workers';
import { describeError, log } from '../../kernel/operation/log.ts';
import { reportErrors } from '../../kernel/operation/report-errors.ts';
import { runDatabaseJobs } from './run-database-jobs.ts';

const POSTPONED_KEY = 'postponed';
/** A run makes at most 900 calls, so that only a call that never returns takes longer. */
const RUN_MS_MAX = 10 * 60_000;

/** Runs the cron jobs of one cell or the directory in an invocation of its own, and never twice at once. */
export class DatabaseKeeper extends DurableObject<Env> {
  /** What is running, for tests. */
  running: Promise<void> | null = null;
  #startedAt = 0;

  /** Returns at once. If a run is under way, the next tick also does what this one asks for. */
  tick(cron: string, cell: number | null): void {
    const { kv } = this.ctx.storage;
    const postponed = kv.get<string[]>(POSTPONED_KEY) ?? [];
    const crons = postponed.includes(cron) ? postponed : [...postponed, cron];
    if (this.running) {
      if (crons !== postponed) kv.put(POSTPONED_KEY, crons);
      if (Date.now() - this.#startedAt > RUN_MS_MAX) this.#restart(cell);
      return;
    }
    if (postponed.length > 0) kv.delete(POSTPONED_KEY);
    this.#startedAt = Date.now();
    this.running = this.#run(crons, cell);
    this.ctx.waitUntil(this.running);
  }

  async #run(crons: readonly string[], cell: number | null): Promise<void> {
    const waitUntil = (work: Promise<unknown>) => this.ctx.waitUntil(work);
    try {
      await runDatabaseJobs({ env: this.env, memory: this.ctx.storage.kv, waitUntil, cell }, crons);
    } catch (error) {
      log('error', 'cron.failed', { job: `every job ${cell ?? ''}`.trim(), cause: describeError(error) });
    } finally {
      reportErrors(this.env, waitUntil);
      this.running = null;
    }
  }

  /** Discards this object, and with it the call that hangs. The next tick begins again. */
  #restart(cell: number | null) {
    log('error', 'cron.hung', { cell });
    this.ctx.abort('A run of cron jobs hangs');
  }
}
