import { CostMeter } from '../sql/cost.ts';
import { Database } from '../sql/database.ts';
import type { Config } from './config.ts';
import { describeError, log } from './log.ts';

/** Everything that belongs to one request, or to one cron run. */
export interface RequestScope {
  readonly id: string;
  /** Milliseconds since the epoch: one clock reading for everything that a request writes. */
  readonly now: number;
  readonly config: Config;
  readonly env: Env;
  /** Origin under which this deployment is reached, without a trailing slash. */
  readonly origin: string;
  /** The client's address as Cloudflare saw it, `unknown` elsewhere. */
  readonly clientIp: string;
  readonly meter: CostMeter;
  readonly directory: Database;
  cell(no: number): Database;
  /** A cell for work after the answer, whose cost the answer does not include; null if it is not bound. */
  cellAfterAnswer(no: number): Database | null;
  /** Runs work beside or after the answer; a failure is logged and never shown. */
  afterAnswer(event: string, work: () => Promise<unknown>): void;
}

interface ScopeOptions {
  env: Env;
  config: Config;
  origin: string;
  clientIp?: string | undefined;
  waitUntil: (work: Promise<unknown>) => void;
  now?: number;
}

export function createRequestScope(options: ScopeOptions): RequestScope {
  const { env, config, origin, clientIp = 'unknown', waitUntil, now = Date.now() } = options;
  const meter = new CostMeter();
  const id = crypto.randomUUID();
  const afterAnswer: RequestScope['afterAnswer'] = (event, work) =>
    waitUntil(work().catch((error) => log('error', event, { id, cause: describeError(error) })));
  // A lost call costs whoever follows the workspace a moment, never an event: they read the log.
  const wake = (cell: number, workspace: number) =>
    afterAnswer('hub.wake', () => hubOf(env, cell, workspace).wake());
  return {
    id,
    now,
    env,
    config,
    origin: config.publicUrl ?? origin,
    clientIp,
    meter,
    directory: new Database(env.DIRECTORY, meter),
    cell(no) {
      const binding = config.cells.get(no);
      if (!binding) throw new Error(`CELL_${no} is not bound; see docs/scaling.md`);
      return new Database(binding, meter, (workspace) => wake(no, workspace));
    },
    cellAfterAnswer(no) {
      const binding = config.cells.get(no);
      return binding ? new Database(binding, new CostMeter(), (workspace) => wake(no, workspace)) : null;
    },
    afterAnswer,
  };
}

/** The object that tells everyone who follows a workspace that something happened in it. */
export function hubOf(
  env: Env,
  cell: number,
  workspace: number,
): ReturnType<Env['WORKSPACE_HUB']['getByName']> {
  return env.WORKSPACE_HUB.getByName(`${cell}/${workspace}`);
}
