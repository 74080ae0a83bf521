import type { CellJob } from '../../kernel/operation/jobs.ts';
import { batchByName } from '../../kernel/sql/batch-by-name.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import { selectTasksFromSubquery } from '../model/selection.queries.ts';
import { applyDefaultHours } from '../write/tasks.write.ts';
import {
  advanceDefaultHoursUpdate,
  hasDefaultHoursUpdates,
  listDefaultHoursUpdates,
  selectNextTasks,
} from './categories.queries.ts';

const TASKS_PER_SLICE = 200;
const STATEMENTS_PER_SLICE = 10;
const UPDATES_PER_RUN_MAX = 20;

/**
 * Each slice updates tasks, counters and the saved position in one transaction, so runs can overlap, and can stop after
 * any slice.
 */
export const updateDefaultHours: CellJob = {
  name: 'hours.follow',
  cost: 1 + STATEMENTS_PER_SLICE,
  isDue: hasDefaultHoursUpdates,
  async run(scope, no, allowance) {
    const cell = scope.cell(no);
    const [updates] = await cell.batch([listDefaultHoursUpdates(UPDATES_PER_RUN_MAX)]);
    for (const update of updates) {
      let isDone = false;
      while (!isDone) {
        if (countAffordableUnits(allowance, STATEMENTS_PER_SLICE, 1) === 0) return true;
        const selection = selectTasksFromSubquery(selectNextTasks(update, TASKS_PER_SLICE));
        const { changed } = await batchByName(cell, {
          hours: applyDefaultHours(update.ws, selection),
          ...advanceDefaultHoursUpdate(update, TASKS_PER_SLICE),
        });
        isDone = changed < TASKS_PER_SLICE;
      }
    }
    return updates.length === UPDATES_PER_RUN_MAX;
  },
};
