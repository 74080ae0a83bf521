import { defineCleanupJob } from '../kernel/operation/cleanup-job.ts';
import { deleteExpiredAuditEntries, hasExpiredAuditEntries } from './retention.queries.ts';

const AUDIT_RETENTION_MS = 180 * 24 * 60 * 60_000;

export const cleanAuditEntries = defineCleanupJob({
  name: 'audit.clean',
  cost: 1,
  rows: 200,
  slicesMax: 20,
  isDue: ({ now }) => hasExpiredAuditEntries(now - AUDIT_RETENTION_MS),
  deleteSlice: async (cell, now, rows) =>
    (await cell.batch([deleteExpiredAuditEntries(now - AUDIT_RETENTION_MS, rows)]))[0],
});
