import { type Allowance, unitsOf } from '../kernel/budget.ts';
import type { Database } from '../kernel/database.ts';
import type { RequestScope } from '../kernel/request-scope.ts';
import { type Deletion, deleteSlice, listDeletions, SLICE_STATEMENTS } from './slices.queries.ts';

export const DELETE_PROJECTS_COST = 1 + SLICE_STATEMENTS;
const PROJECTS_A_RUN = 20;

/**
 * Deletes what deleted projects left behind, slice by slice, while the allowance pays for another. Every slice is one
 * transaction and finds for itself what is left, so a run may end anywhere and two runs do no harm.
 */
export async function deleteProjects(
  scope: RequestScope,
  no: number,
  allowance: Allowance,
): Promise<boolean> {
  const cell = scope.cell(no);
  const [deletions] = await cell.batch([listDeletions(PROJECTS_A_RUN)]);
  for (const deletion of deletions) {
    const isDone = await deleteLeft(cell, deletion, allowance);
    if (!isDone) return true;
  }
  return deletions.length === PROJECTS_A_RUN;
}

/** False where the allowance ended first. */
async function deleteLeft(cell: Database, deletion: Deletion, allowance: Allowance): Promise<boolean> {
  while (unitsOf(allowance, SLICE_STATEMENTS, 1) > 0) {
    const results = (await cell.batch(deleteSlice(deletion))) as unknown[];
    const dealtWith = (results[0] as number) + (results.at(-3) as unknown[]).length;
    if (dealtWith === 0) return true;
  }
  return false;
}
