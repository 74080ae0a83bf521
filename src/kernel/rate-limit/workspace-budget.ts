import QuickLRU from 'quick-lru';
import type { Caller } from '../access/access.ts';
import { MINUTE_MS } from '../dates/durations.ts';
import { AppError } from '../errors/errors.ts';
import { log } from '../operation/log.ts';
import type { RequestScope, WorkspaceBudget } from '../operation/request-scope.ts';
import { formatWaitTime } from '../text/number-format.ts';
import { countHit } from './rate-limit.ts';
import { waitAtMost } from './wait-at-most.ts';

/** An isolate reports work only above this share of the budget, so that an ordinary workspace never causes a call. */
const REPORTED_BUDGET_SHARE = 1 / 20;
const REPORT_TIMEOUT_MS = 2_000;
const WORKSPACES_TRACKED_MAX = 10_000;

interface UnreportedWork {
  unreportedMs: number;
  /** When this count of unreported work started. After a minute, it restarts at 0. */
  startedAt: number;
  /** A time rather than a promise, so that an aborted request can't block later reports. */
  reportingUntil: number;
  usedUpUntil: number;
}

const workByWorkspace = new QuickLRU<string, UnreportedWork>({ maxSize: WORKSPACES_TRACKED_MAX });

export class WorkspaceBusyError extends AppError {
  constructor(seconds: number) {
    super('rate_limited', `This workspace is very busy. Try again in ${formatWaitTime(seconds)}.`, {
      headers: { 'Retry-After': String(seconds) },
    });
  }
}

/** Checks the budget once per request, so that no request is rejected halfway through (docs/adr/0043). */
export function createWorkspaceBudget(scope: Omit<RequestScope, 'budget'>): WorkspaceBudget {
  let entered: UnreportedWork | null = null;
  return {
    enter(caller) {
      const name = `work:${caller.cell}/${caller.workspace}`;
      const tally = getUnreportedWork(name);
      if (tally === entered) return;
      if (scope.now < tally.usedUpUntil)
        throw new WorkspaceBusyError(Math.ceil((tally.usedUpUntil - scope.now) / 1_000));
      entered = tally;
      scope.meter.onWork = (ms) => addWork(scope, { caller, name, tally }, ms);
    },
  };
}

function getUnreportedWork(name: string): UnreportedWork {
  const known = workByWorkspace.get(name);
  if (known) return known;
  const tally = { unreportedMs: 0, startedAt: 0, reportingUntil: 0, usedUpUntil: 0 };
  workByWorkspace.set(name, tally);
  return tally;
}

interface MeasuredWorkspace {
  readonly caller: Caller;
  readonly name: string;
  readonly tally: UnreportedWork;
}

function addWork(scope: Omit<RequestScope, 'budget'>, account: MeasuredWorkspace, ms: number) {
  const { tally, caller } = account;
  const now = Date.now();
  if (now - tally.startedAt >= MINUTE_MS) Object.assign(tally, { unreportedMs: 0, startedAt: now });
  tally.unreportedMs += ms;
  const budget = scope.config.databaseBudgets[caller.plan];
  if (tally.unreportedMs < budget * REPORTED_BUDGET_SHARE || now < tally.reportingUntil) return;
  tally.reportingUntil = now + REPORT_TIMEOUT_MS;
  scope.afterResponse('budget.report', () => reportWork(scope, account, budget));
}

/** Requests don't wait for the report. If the Durable Object fails, requests aren't limited. */
async function reportWork(scope: Omit<RequestScope, 'budget'>, account: MeasuredWorkspace, budget: number) {
  const { tally, name, caller } = account;
  const hits = tally.unreportedMs;
  Object.assign(tally, { unreportedMs: 0, startedAt: Date.now() });
  const report = countHit(scope, name, budget, MINUTE_MS, { hits });
  const verdict = await waitAtMost(REPORT_TIMEOUT_MS, report, () =>
    log('error', 'rate_limit.unavailable', {
      id: scope.id,
      cause: `no response within ${REPORT_TIMEOUT_MS} ms`,
    }),
  );
  tally.reportingUntil = 0;
  if (!verdict || verdict.allowed) return;
  tally.usedUpUntil = Date.now() + verdict.resetSeconds * 1_000;
  log('info', 'budget.used_up', {
    id: scope.id,
    workspace: caller.workspaceId,
    cell: caller.cell,
    plan: caller.plan,
    seconds: verdict.resetSeconds,
  });
}
