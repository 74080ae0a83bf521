import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import type { Allowance } from '../../kernel/sql/budget.ts';
import { deleteInSlices } from '../../kernel/sql/delete-in-slices.ts';
import { expireImports } from './clean-imports.queries.ts';

export const CLEAN_IMPORTS_COST = 2;
const sliceLimits = { cost: CLEAN_IMPORTS_COST, rows: 50, slicesMax: 5 };

/** Safe to run in parallel. */
export function cleanImports(scope: RequestScope, no: number, allowance: Allowance): Promise<boolean> {
  return deleteInSlices(allowance, sliceLimits, async (rows) => {
    return (await scope.cell(no).batch(expireImports(scope.now, rows))).flat();
  });
}
