import type { Context } from '../../kernel/operation/operation.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { type Allowance, unitsOf, unlimited } from '../../kernel/sql/budget.ts';
import type { Database, Statement } from '../../kernel/sql/database.ts';
import { indexSlice, listWaiting, planSlice, WAITING_SLICE_COST } from './waiting.queries.ts';

export { WAITING_SLICE_COST };

/** Slices after one answer, or of one cron run; the next run continues. */
const SLICES_MAX = 100;
/** The platform ends work after an answer by then. */
const RUN_MS_MAX = 30_000;

/** Before each slice, so that the answer leaves first and other requests are served. */
const PAUSE_MS = 10;

/** When a run after an answer began, by cell: several at once would index the same texts. */
const running = new Map<number, number>();

/**
 * Indexes the texts that wait, a slice per batch, so that requests of other workspaces come in between. Safe to stop and
 * to repeat at any time, also beside itself.
 * @returns whether more may wait.
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

/** The cron's share: what is left by requests that ended early. */
export function indexWaitingTexts(scope: RequestScope, no: number, allowance: Allowance): Promise<boolean> {
  return indexWaiting(scope.cell(no), allowance);
}

/** Indexes after the answer what these statements left waiting. */
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
