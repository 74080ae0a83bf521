import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import type { Allowance } from '../../kernel/sql/budget.ts';
import { deleteInSlices } from '../../kernel/sql/delete-in-slices.ts';
import { deleteOldCredentials, hasOldEndedCredentials } from './clean-credentials.queries.ts';

/** How long the list of connected apps shows revoked and expired credentials (docs/adr/0036). */
const ENDED_CREDENTIAL_RETENTION_MS = 90 * 24 * 60 * 60_000;
export const CREDENTIALS_SLICE_COST = 1;
const sliceLimits = { cost: CREDENTIALS_SLICE_COST, rows: 200, slicesMax: 5 };

export const areCredentialsDue = ({ now }: Pick<RequestScope, 'now'>) =>
  hasOldEndedCredentials(now - ENDED_CREDENTIAL_RETENTION_MS);

export function cleanCredentials(scope: RequestScope, no: number, allowance: Allowance): Promise<boolean> {
  return deleteInSlices(allowance, sliceLimits, async (rows) => {
    const [deleted] = await scope
      .cell(no)
      .batch([deleteOldCredentials(scope.now - ENDED_CREDENTIAL_RETENTION_MS, rows)]);
    return deleted;
  });
}
