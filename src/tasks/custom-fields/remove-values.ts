import type { CellJob } from '../../kernel/operation/jobs.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import { FIELD_RESTORE_WINDOW_MS } from './custom-fields.policy.ts';
import {
  countNextValues,
  hasExpiredFields,
  listExpiredFields,
  queueNextTasks,
  removeEmptyField,
  removeNextValues,
} from './remove-values.queries.ts';

const TASKS_PER_SLICE = 200;
const STATEMENTS_PER_SLICE = 5;
const FIELDS_PER_RUN = 20;

export const removeExpiredFields: CellJob = {
  name: 'custom-fields.remove',
  cost: 1 + STATEMENTS_PER_SLICE,
  isDue: ({ now }) => hasExpiredFields(now - FIELD_RESTORE_WINDOW_MS),
  async run(scope, no, allowance) {
    const cell = scope.cell(no);
    const [expired] = await cell.batch([
      listExpiredFields(scope.now - FIELD_RESTORE_WINDOW_MS, FIELDS_PER_RUN),
    ]);
    for (const field of expired) {
      let left = 1;
      while (left > 0) {
        if (countAffordableUnits(allowance, STATEMENTS_PER_SLICE, 1) === 0) return true;
        [, , left] = await cell.batch([
          queueNextTasks(field, TASKS_PER_SLICE),
          removeNextValues(field, TASKS_PER_SLICE),
          countNextValues(field),
          ...removeEmptyField(field),
        ] as const);
      }
    }
    return expired.length === FIELDS_PER_RUN;
  },
};
