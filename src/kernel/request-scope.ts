import type { Caller } from './access.ts';
import type { Config } from './config.ts';
import { CostMeter } from './cost.ts';
import { Database } from './database.ts';
import { describeError, log } from './log.ts';

/** Everything that lives as long as one request, or one cron run. */
export interface Scope {
  readonly id: string;
  /** Milliseconds since the epoch: one clock reading for all that a request writes. */
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
  /** Runs beside or after the answer; a failure is logged, never shown. */
  afterAnswer(event: string, work: () => Promise<unknown>): void;
  /** Set where an idempotency key found its work done: the answer is the first one. */
  isReplayed?: boolean;
  replayedStatus?: number | null;
  /** Set by a list that goes on; for the Link header. */
  nextCursor?: string;
  /** Set once a credential was accepted; for the log. */
  caller?: Caller;
  /** The request as it came, where the route takes bytes: its body has not been read. */
  incoming?: Request;
  /** Set by a create that found its work done already: it answers 200 instead of 201. */
  answerStatus?: 200;
}

interface ScopeOptions {
  env: Env;
  config: Config;
  origin: string;
  clientIp?: string | undefined;
  waitUntil: (work: Promise<unknown>) => void;
  now?: number;
}

export function createScope(options: ScopeOptions): Scope {
  const { env, config, origin, clientIp = 'unknown', waitUntil, now = Date.now() } = options;
  const meter = new CostMeter();
  const id = crypto.randomUUID();
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
      return new Database(binding, meter);
    },
    afterAnswer(event, work) {
      waitUntil(work().catch((error) => log('error', event, { id, cause: describeError(error) })));
    },
  };
}
