import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { type Allowance, countAffordableUnits } from '../../kernel/sql/budget.ts';
import type { SQL } from '../../kernel/sql/database.ts';
import { RESTORABLE_MS } from './custom-fields.policy.ts';
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
export const REMOVE_VALUES_COST = 1 + STATEMENTS_PER_SLICE;

export function haveFieldsExpired({ now }: Pick<RequestScope, 'now'>): SQL {
  return hasExpiredFields(now - RESTORABLE_MS);
}

/** A run can stop after any slice. */
export async function removeExpiredFields(
  scope: RequestScope,
  no: number,
  allowance: Allowance,
): Promise<boolean> {
  const cell = scope.cell(no);
  const [expired] = await cell.batch([listExpiredFields(scope.now - RESTORABLE_MS, FIELDS_PER_RUN)]);
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
}
