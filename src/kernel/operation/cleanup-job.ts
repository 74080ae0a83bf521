import { countAffordableUnits } from '../sql/budget.ts';
import type { Database } from '../sql/database.ts';
import type { CellJob } from './jobs.ts';

interface CleanupJob extends Omit<CellJob, 'run'> {
  readonly rows: number;
  readonly slicesMax: number;
  deleteSlice(cell: Database, now: number, rows: number): Promise<readonly unknown[]>;
}

export function defineCleanupJob({ rows, slicesMax, deleteSlice, ...job }: CleanupJob): CellJob {
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
