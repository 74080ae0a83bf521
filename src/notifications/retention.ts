import { type Allowance, unitsOf } from '../kernel/budget.ts';
import type { Scope } from '../kernel/request-scope.ts';
import { deleteLongRead } from './retention.queries.ts';

const KEPT_READ_MS = 180 * 24 * 60 * 60_000;
const DELETED_A_SLICE = 200;
const SLICES_A_RUN = 20;
export const NOTIFICATIONS_SLICE_COST = 2;

/** Forgets notifications that were read half a year ago, with their share of the counts. Safe to run twice at once. */
export async function cleanNotifications(scope: Scope, no: number, allowance: Allowance): Promise<boolean> {
  const cell = scope.cell(no);
  for (let slices = unitsOf(allowance, NOTIFICATIONS_SLICE_COST, SLICES_A_RUN); slices > 0; slices -= 1) {
    const [, deleted] = await cell.batch(deleteLongRead(scope.now - KEPT_READ_MS, DELETED_A_SLICE));
    if (deleted.length < DELETED_A_SLICE) return false;
  }
  return true;
}
