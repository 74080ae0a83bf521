import type { RequestScope } from '../kernel/operation/request-scope.ts';
import type { Allowance } from '../kernel/sql/budget.ts';
import { deleteInSlices } from '../kernel/sql/delete-in-slices.ts';
import { deleteExpiredAuditEntries, hasExpiredAuditEntries } from './retention.queries.ts';

const AUDIT_RETENTION_MS = 180 * 24 * 60 * 60_000;
export const AUDIT_SLICE_COST = 1;
const sliceLimits = { cost: AUDIT_SLICE_COST, rows: 200, slicesMax: 20 };

export const areAuditEntriesDue = ({ now }: Pick<RequestScope, 'now'>) =>
  hasExpiredAuditEntries(now - AUDIT_RETENTION_MS);

export function cleanAuditEntries(scope: RequestScope, no: number, allowance: Allowance): Promise<boolean> {
  return deleteInSlices(allowance, sliceLimits, async (rows) => {
    const [deleted] = await scope
      .cell(no)
      .batch([deleteExpiredAuditEntries(scope.now - AUDIT_RETENTION_MS, rows)]);
    return deleted;
  });
}
