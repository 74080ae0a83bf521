import type { Context } from '../../kernel/operation/operation.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { type Allowance, unitsOf, unlimited } from '../../kernel/sql/budget.ts';
import type { Database, Statement } from '../../kernel/sql/database.ts';
import { indexSlice, listWaiting, planSlice, WAITING_SLICE_COST } from './waiting.queries.ts';

export { WAITING_SLICE_COST };

/** Per response or cron run. The next run continues. */
const SLICES_MAX = 100;
/** The platform ends work after a response by then. */
const RUN_MS_MAX = 30_000;

/** Before each slice, so that the response is sent first and other requests are served. */
const PAUSE_MS = 10;

/** When a run after a response began, by cell. Two at once would index the same texts. */
const running = new Map<number, number>();

/**
 * Indexes waiting texts, a slice per batch, so that requests of other workspaces are served in between. Safe to stop, to
 * repeat and to run twice at once. @returns whether more may be waiting.
 */
async function indexWaiting(cell: Database, allowance: Allowance): Promise<boolean> {
  for (let left = unitsOf(allowance, WAITING_SLICE_COST, SLICES_MAX); left > 0; left -= 1) {
    await pause();
    const [waiting] = await cell.batch([listWaiting()]);
    if (waiting.length === 0) return false;
    await cell.batch(indexSlice(planSlice(waiting)));
  }
  return true;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

/** Indexes what requests left when they ended early. */
export function indexWaitingTexts(scope: RequestScope, no: number, allowance: Allowance): Promise<boolean> {
  return indexWaiting(scope.cell(no), allowance);
}

/** Indexes the texts that these statements left waiting, after the response is sent. */
export function indexAfterAnswer({ request, caller }: Context, written: readonly Statement[]): void {
  if (!written.some(({ leavesWork }) => leavesWork)) return;
  const cell = request.cellAfterAnswer(caller.cell);
  const isRunning = Date.now() - (running.get(caller.cell) ?? 0) < RUN_MS_MAX;
  if (!cell || isRunning) return;
  running.set(caller.cell, Date.now());
  request.afterAnswer('search.index', () =>
    indexWaiting(cell, unlimited).finally(() => running.delete(caller.cell)),
  );
}
