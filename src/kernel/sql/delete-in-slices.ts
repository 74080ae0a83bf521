import { type Allowance, countAffordableUnits } from './budget.ts';

interface SliceLimits {
  readonly cost: number;
  readonly rows: number;
  readonly slicesMax: number;
}

/** Returns whether there may be more rows. */
export async function deleteInSlices(
  allowance: Allowance,
  { cost, rows, slicesMax }: SliceLimits,
  deleteSlice: (rows: number) => Promise<readonly unknown[]>,
): Promise<boolean> {
  for (let slices = countAffordableUnits(allowance, cost, slicesMax); slices > 0; slices -= 1) {
    const deleted = await deleteSlice(rows);
    if (deleted.length < rows) return false;
  }
  return true;
}
