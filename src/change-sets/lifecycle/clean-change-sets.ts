import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import type { Allowance } from '../../kernel/sql/budget.ts';
import { deleteInSlices } from '../../kernel/sql/delete-in-slices.ts';
import { ITEMS_MAX } from '../model/limits.ts';
import { deleteEndedItems, deleteEndedSet } from './clean-change-sets.queries.ts';

export const CHANGE_SETS_SLICE_COST = 3;
/** A slice deletes the items of a set, and the set. */
const sliceLimits = { cost: CHANGE_SETS_SLICE_COST, rows: 1, slicesMax: 20 };

export function cleanChangeSets(scope: RequestScope, no: number, allowance: Allowance): Promise<boolean> {
  return deleteInSlices(allowance, sliceLimits, async () => {
    const [deleted] = await scope
      .cell(no)
      .batch([deleteEndedItems(scope.now, ITEMS_MAX), ...deleteEndedSet(scope.now)]);
    return deleted;
  });
}
