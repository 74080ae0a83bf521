import type { CellJob } from '../../kernel/operation/jobs.ts';
import { batchByName } from '../../kernel/sql/batch-by-name.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import { selectTasksIn } from '../model/selection.queries.ts';
import { applyDefaultHours } from '../write/tasks.write.ts';
import { advanceHourChange, hasHourChanges, listHourChanges, selectNextTasks } from './categories.queries.ts';

const TASKS_PER_SLICE = 200;
const STATEMENTS_PER_SLICE = 10;
const CHANGES_PER_RUN_MAX = 20;

/**
 * Each slice updates the counters and the position in one transaction, so runs can overlap and stop after any slice.
 */
export const runHourChanges: CellJob = {
  name: 'hours.follow',
  cost: 1 + STATEMENTS_PER_SLICE,
  isDue: hasHourChanges,
  async run(scope, no, allowance) {
    const cell = scope.cell(no);
    const [changes] = await cell.batch([listHourChanges(CHANGES_PER_RUN_MAX)]);
    for (const change of changes) {
      let isDone = false;
      while (!isDone) {
        if (countAffordableUnits(allowance, STATEMENTS_PER_SLICE, 1) === 0) return true;
        const selection = selectTasksIn(selectNextTasks(change, TASKS_PER_SLICE));
        const { changed } = await batchByName(cell, {
          hours: applyDefaultHours(change.ws, selection),
          ...advanceHourChange(change, TASKS_PER_SLICE),
        });
        isDone = changed < TASKS_PER_SLICE;
      }
    }
    return changes.length === CHANGES_PER_RUN_MAX;
  },
};
