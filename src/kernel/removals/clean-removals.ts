import type { RequestScope } from '../operation/request-scope.ts';
import type { Allowance } from '../sql/budget.ts';
import { deleteInSlices } from '../sql/delete-in-slices.ts';
import { deleteExpiredRemovals } from './removals.queries.ts';

export const REMOVALS_SLICE_COST = 1;
const sliceLimits = { cost: REMOVALS_SLICE_COST, rows: 200, slicesMax: 20 };

export function cleanRemovals(scope: RequestScope, no: number, allowance: Allowance): Promise<boolean> {
  return deleteInSlices(allowance, sliceLimits, async (rows) => {
    const [deleted] = await scope.cell(no).batch([deleteExpiredRemovals(scope.now, rows)]);
    return deleted;
  });
}
