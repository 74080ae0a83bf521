import { defineCleanupJob } from '../../kernel/operation/cleanup-job.ts';
import { deleteOldReadNotifications, hasOldReadNotifications } from './retention.queries.ts';

const READ_RETENTION_MS = 180 * 24 * 60 * 60_000;

export const cleanNotifications = defineCleanupJob({
  name: 'notifications.clean',
  cost: 2,
  rows: 200,
  slicesMax: 20,
  isDue: ({ now }) => hasOldReadNotifications(now - READ_RETENTION_MS),
  deleteSlice: async (cell, now, rows) =>
    (await cell.batch(deleteOldReadNotifications(now - READ_RETENTION_MS, rows)))[1],
});
