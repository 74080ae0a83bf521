import type { CellJob } from '../../kernel/operation/jobs.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { type Allowance, countAffordableUnits, unlimitedAllowance } from '../../kernel/sql/budget.ts';
import type { Database, Statement } from '../../kernel/sql/database.ts';
import { indexDetails, listWaitingDetails, planDetails } from './waiting-details.queries.ts';
import {
  hasWaitingTexts,
  indexWaitingSlice,
  listWaitingTasks,
  planWaitingSlice,
  STATEMENTS_PER_WAITING_SLICE,
} from './waiting-texts.queries.ts';

const SLICES_PER_RUN_MAX = 100;
/** The platform stops work that runs longer than this after a response. */
const RUN_MS_MAX = 30_000;

/** The pause before each slice, so that the response and other requests can continue. */
const PAUSE_MS = 10;

/**
 * The start time of the run in progress for each cell, for runs that follow a response. An isolate doesn't start a
 * second run for the same cell, because it would index the same tasks.
 */
const runStartsByCell = new Map<number, number>();

async function indexWaitingSlices(cell: Database, allowance: Allowance): Promise<boolean> {
  for (
    let left = countAffordableUnits(allowance, STATEMENTS_PER_WAITING_SLICE, SLICES_PER_RUN_MAX);
    left > 0;
    left -= 1
  ) {
    await waitBeforeSlice();
    const [tasks, details] = await cell.batch([listWaitingTasks(), listWaitingDetails()]);
    if (tasks.length + details.length === 0) return false;
    await cell.batch(
      tasks.length > 0 ? indexWaitingSlice(planWaitingSlice(tasks)) : indexDetails(planDetails(details)),
    );
  }
  return true;
}

function waitBeforeSlice(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

export const indexWaitingTexts: CellJob = {
  name: 'search.index',
  cost: STATEMENTS_PER_WAITING_SLICE,
  isDue: hasWaitingTexts,
  run: (scope, no, allowance) => indexWaitingSlices(scope.cell(no), allowance),
};

export function indexWaitingTextsAfterResponse(
  { request, caller }: Context,
  written: readonly Statement[],
): void {
  if (!written.some(({ leavesWork }) => leavesWork)) return;
  const cell = request.cellAfterResponse(caller.cell);
  const isRunning = Date.now() - (runStartsByCell.get(caller.cell) ?? 0) < RUN_MS_MAX;
  if (!cell || isRunning) return;
  runStartsByCell.set(caller.cell, Date.now());
  request.afterResponse('search.index', () =>
    indexWaitingSlices(cell, unlimitedAllowance).finally(() => runStartsByCell.delete(caller.cell)),
  );
}
