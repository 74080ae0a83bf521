import { defineCleanupJob } from '../../kernel/operation/cleanup-job.ts';
import { expireImports, hasExpiredImports } from './clean-imports.queries.ts';

export const cleanImports = defineCleanupJob({
  name: 'imports.clean',
  cost: 2,
  rows: 50,
  slicesMax: 5,
  isDue: hasExpiredImports,
  deleteSlice: async (cell, now, rows) => (await cell.batch(expireImports(now, rows))).flat(),
});
