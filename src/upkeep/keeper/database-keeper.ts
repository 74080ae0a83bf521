import { DurableObject } from 'cloudflare:workers';
import { describeError, log } from '../../kernel/operation/log.ts';
import { reportErrors } from '../../kernel/operation/report-errors.ts';
import { runDatabaseJobs } from './run-database-jobs.ts';

const POSTPONED_KEY = 'postponed';
/** A run makes up to 900 calls. If a run takes longer than this, one of its calls is hanging. */
const RUN_MS_MAX = 10 * 60_000;

/** Runs a database's cron jobs in a separate invocation, one run at a time. */
export class DatabaseKeeper extends DurableObject<Env> {
  running: Promise<void> | null = null;
  #startedAt = 0;

  /** Returns immediately. If a run is in progress, the jobs of `cron` wait for the first tick after the run. */
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

  #restart(cell: number | null) {
    log('error', 'cron.hung', { cell });
    this.ctx.abort('A cron run is stuck');
  }
}
