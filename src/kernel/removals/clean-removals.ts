import { defineCleanupJob } from '../operation/cleanup-job.ts';
import { deleteExpiredRemovals, hasExpiredRemovals } from './removals.queries.ts';

export const cleanRemovals = defineCleanupJob({
  name: 'removals.clean',
  cost: 1,
  rows: 200,
  slicesMax: 20,
  isDue: hasExpiredRemovals,
  deleteSlice: async (cell, now, rows) => (await cell.batch([deleteExpiredRemovals(now, rows)]))[0],
});
