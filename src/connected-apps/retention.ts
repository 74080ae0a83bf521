import { type Allowance, unitsOf } from '../kernel/budget.ts';
import type { Scope } from '../kernel/request-scope.ts';
import { deleteLongEnded } from './retention.queries.ts';

/** So long the list of connected apps still shows what was revoked or has expired (docs/adr/0028). */
const KEPT_ENDED_MS = 90 * 24 * 60 * 60_000;
const DELETED_A_SLICE = 200;
const SLICES_A_RUN = 5;
export const CREDENTIALS_SLICE_COST = 1;

/** Forgets keys and tokens that ended three months ago. What was done with them names the member, and stays. */
export async function cleanCredentials(scope: Scope, no: number, allowance: Allowance): Promise<boolean> {
  const cell = scope.cell(no);
  for (let slices = unitsOf(allowance, CREDENTIALS_SLICE_COST, SLICES_A_RUN); slices > 0; slices -= 1) {
    const [deleted] = await cell.batch([deleteLongEnded(scope.now - KEPT_ENDED_MS, DELETED_A_SLICE)]);
    if (deleted.length < DELETED_A_SLICE) return false;
  }
  return true;
}
