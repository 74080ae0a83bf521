import { defineCleanupJob } from '../../kernel/operation/cleanup-job.ts';
import { deleteOldCredentials, hasOldEndedCredentials } from './clean-credentials.queries.ts';

/** How long the list of connected apps shows revoked and expired credentials (docs/adr/0036). */
const ENDED_CREDENTIAL_RETENTION_MS = 90 * 24 * 60 * 60_000;

export const cleanCredentials = defineCleanupJob({
  name: 'credentials.clean',
  cost: 1,
  rows: 200,
  slicesMax: 5,
  isDue: ({ now }) => hasOldEndedCredentials(now - ENDED_CREDENTIAL_RETENTION_MS),
  deleteSlice: async (cell, now, rows) =>
    (await cell.batch([deleteOldCredentials(now - ENDED_CREDENTIAL_RETENTION_MS, rows)]))[0],
});
