import { countAffordableUnits } from '../sql/budget.ts';
import type { Database } from '../sql/database.ts';
import type { CellJob } from './jobs.ts';

interface CleaningJob extends Omit<CellJob, 'run'> {
  readonly rows: number;
  readonly slicesMax: number;
  /** Deletes up to `rows` rows, and returns one item for each. */
  deleteSlice(cell: Database, now: number, rows: number): Promise<readonly unknown[]>;
}

export function defineCleaningJob({ rows, slicesMax, deleteSlice, ...job }: CleaningJob): CellJob {
  return {
    ...job,
    async run(scope, no, allowance) {
      const cell = scope.cell(no);
      for (let slices = countAffordableUnits(allowance, job.cost, slicesMax); slices > 0; slices -= 1) {
        const deleted = await deleteSlice(cell, scope.now, rows);
        if (deleted.length < rows) return false;
      }
      return true;
    },
  };
}
