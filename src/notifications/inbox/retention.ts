import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import type { Allowance } from '../../kernel/sql/budget.ts';
import { deleteInSlices } from '../../kernel/sql/delete-in-slices.ts';
import { deleteOldReadNotifications, hasOldReadNotifications } from './retention.queries.ts';

const READ_RETENTION_MS = 180 * 24 * 60 * 60_000;
export const NOTIFICATIONS_SLICE_COST = 2;
const sliceLimits = { cost: NOTIFICATIONS_SLICE_COST, rows: 200, slicesMax: 20 };

export const areNotificationsDue = ({ now }: Pick<RequestScope, 'now'>) =>
  hasOldReadNotifications(now - READ_RETENTION_MS);

/** Runs can overlap. */
export function cleanNotifications(scope: RequestScope, no: number, allowance: Allowance): Promise<boolean> {
  return deleteInSlices(allowance, sliceLimits, async (rows) => {
    const [, deleted] = await scope
      .cell(no)
      .batch(deleteOldReadNotifications(scope.now - READ_RETENTION_MS, rows));
    return deleted;
  });
}
