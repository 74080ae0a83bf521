import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { type Allowance, unitsOf } from '../../kernel/sql/budget.ts';
import { tasksWithin } from '../model/selection.queries.ts';
import { followDefaultHours } from '../write/tasks.write.ts';
import { advance, listHourChanges, nextTasks } from './categories.queries.ts';

const TASKS_A_SLICE = 200;
const SLICE_COST = 10;
export const HOUR_CHANGES_COST = 1 + SLICE_COST;
const CHANGES_A_RUN = 20;

/**
 * Updates tasks without an estimate to the current hours of their type or category, in slices. Each slice moves the counters
 * and the position in one transaction, so it is safe to stop anywhere and to run twice at once.
 */
export async function followHours(scope: RequestScope, no: number, allowance: Allowance): Promise<boolean> {
  const cell = scope.cell(no);
  const [changes] = await cell.batch([listHourChanges(CHANGES_A_RUN)]);
  for (const change of changes) {
    let left = TASKS_A_SLICE;
    while (left === TASKS_A_SLICE) {
      if (unitsOf(allowance, SLICE_COST, 1) === 0) return true;
      const selection = tasksWithin(nextTasks(change, TASKS_A_SLICE));
      const results = await cell.batch([
        ...followDefaultHours(change.ws, selection),
        ...advance(change, TASKS_A_SLICE),
      ] as const);
      left = Number(results.at(-3));
    }
  }
  return changes.length === CHANGES_A_RUN;
}
