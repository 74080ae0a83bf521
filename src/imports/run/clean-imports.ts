import { defineCleaningJob } from '../../kernel/operation/cleaning-job.ts';
import { expireImports, haveImportsExpired } from './clean-imports.queries.ts';

/** Safe to run in parallel. */
export const cleanImports = defineCleaningJob({
  name: 'imports.clean',
  cost: 2,
  rows: 50,
  slicesMax: 5,
  isDue: haveImportsExpired,
  deleteSlice: async (cell, now, rows) => (await cell.batch(expireImports(now, rows))).flat(),
});
