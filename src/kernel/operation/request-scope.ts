import type { Caller } from '../access/access.ts';
import { isTimeZone } from '../dates/time-zone.ts';
import { CostMeter } from '../sql/cost.ts';
import { Database } from '../sql/database.ts';
import type { Config } from './config.ts';
import { getDurableObject } from './durable-objects.ts';
import { describeError, log } from './log.ts';
import { reportErrors } from './report-errors.ts';

export interface WorkspaceBudget {
  /** Throws `rate_limited` if the workspace has used up its budget. Otherwise, starts measuring the request's work. */
  enter(caller: Caller): void;
}

export interface RequestScope {
  readonly id: string;
  /** In milliseconds. Constant during the request, so that all its writes have the same time. */
  readonly now: number;
  readonly config: Config;
  readonly env: Env;
  readonly origin: string;
  /** The client's IP address as Cloudflare sees it, or `unknown`. */
  readonly clientIp: string;
  readonly userAgent: string;
  /** The client's time zone as Cloudflare sees it. Null if unknown, and on local servers. */
  readonly timeZone: string | null;
  readonly meter: CostMeter;
  readonly budget: WorkspaceBudget;
  readonly directory: Database;
  cell(no: number): Database;
  /**
   * Returns the cell's database for work after the response, which doesn't count toward the request's cost. Returns
   * null if the cell isn't bound.
   */
  cellAfterResponse(no: number, meter?: CostMeter): Database | null;
  /** Runs work in parallel with the response or after it. Failures are only logged. */
  afterResponse(event: string, work: () => Promise<unknown>): void;
}

interface ScopeOptions {
  env: Env;
  config: Config;
  origin: string;
  clientIp?: string | undefined;
  userAgent?: string | undefined;
  timeZone?: string | undefined;
  waitUntil: (work: Promise<unknown>) => void;
  now?: number;
  createBudget?: (scope: Omit<RequestScope, 'budget'>) => WorkspaceBudget;
}

const unlimitedBudget: WorkspaceBudget = { enter: () => undefined };

export function createRequestScope(options: ScopeOptions): RequestScope {
  const {
    env,
    config,
    origin,
    clientIp = 'unknown',
    userAgent = '',
    timeZone,
    waitUntil,
    now = Date.now(),
  } = options;
  const meter = new CostMeter();
  const id = crypto.randomUUID();
  const afterResponse: RequestScope['afterResponse'] = (event, work) =>
    waitUntil(
      work().catch((error) => {
        log('error', event, { id, cause: describeError(error) });
        reportErrors(env, waitUntil);
      }),
    );
  // A failed call only delays live updates, because clients read the events from the log.
  const wake = (cell: number, workspace: number) =>
    afterResponse('hub.wake', () => getWorkspaceHub(env, cell, workspace).wake());
  const scope = {
    id,
    now,
    env,
    config,
    origin: config.publicUrl ?? origin,
    clientIp,
    userAgent,
    timeZone: timeZone !== undefined && !config.isLocal && isTimeZone(timeZone) ? timeZone : null,
    meter,
    directory: new Database(env.DIRECTORY, meter),
    cell(no: number) {
      const binding = config.cells.get(no);
      if (!binding) throw new Error(`CELL_${no} is not bound; see docs/scaling.md`);
      return new Database(binding, meter, { onEvent: (workspace) => wake(no, workspace) });
    },
    cellAfterResponse(no: number, ownMeter = new CostMeter()) {
      const binding = config.cells.get(no);
      return binding
        ? new Database(binding, ownMeter, { onEvent: (workspace) => wake(no, workspace) })
        : null;
    },
    afterResponse,
  };
  return { ...scope, budget: options.createBudget?.(scope) ?? unlimitedBudget };
}

export function getWorkspaceHub(
  env: Env,
  cell: number,
  workspace: number,
): ReturnType<Env['WORKSPACE_HUB']['getByName']> {
  return getDurableObject(env, 'WORKSPACE_HUB', `${cell}/${workspace}`);
}
