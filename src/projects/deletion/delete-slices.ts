import type { CellJob } from '../../kernel/operation/jobs.ts';
import { batchByName } from '../../kernel/sql/batch-by-name.ts';
import { type Allowance, countAffordableUnits } from '../../kernel/sql/budget.ts';
import type { Database } from '../../kernel/sql/database.ts';
import { removeProjectTrash } from '../../tasks/trash/clean-trash.ts';
import { deleteSlice, STATEMENTS_PER_SLICE } from './delete-slice.queries.ts';
import { STATEMENTS_PER_PART } from './hide-project.queries.ts';
import { hideProjectInParts } from './hide-project.ts';
import { hasDeletions, listDeletions, type ProjectDeletion } from './progress.queries.ts';

const PROJECTS_PER_RUN_MAX = 20;

/**
 * Each slice selects and deletes its rows in one transaction, so a run can stop after any slice, and runs can overlap.
 */
export const deleteProjects: CellJob = {
  name: 'projects.delete',
  cost: 1 + STATEMENTS_PER_PART,
  isDue: hasDeletions,
  async run(scope, no, allowance) {
    const cell = scope.cell(no);
    const [deletions] = await cell.batch([listDeletions(PROJECTS_PER_RUN_MAX)]);
    for (const deletion of deletions) {
      const isHidden =
        deletion.is_hidden === 1 || (await hideRemainingParts(cell, deletion, scope.now, allowance));
      if (!isHidden || !(await removeProjectTrash(cell, deletion.project, scope.now, allowance))) return true;
      if (!(await deleteRemainingSlices(cell, deletion, allowance))) return true;
    }
    return deletions.length === PROJECTS_PER_RUN_MAX;
  },
};

async function hideRemainingParts(
  cell: Database,
  { ws, project }: ProjectDeletion,
  now: number,
  allowance: Allowance,
): Promise<boolean> {
  while (countAffordableUnits(allowance, STATEMENTS_PER_PART, 1) > 0) {
    if (await hideProjectInParts(cell, { ws, id: project }, now, 1)) return true;
  }
  return false;
}

async function deleteRemainingSlices(
  cell: Database,
  deletion: ProjectDeletion,
  allowance: Allowance,
): Promise<boolean> {
  while (countAffordableUnits(allowance, STATEMENTS_PER_SLICE, 1) > 0) {
    const { events, removed } = await batchByName(cell, deleteSlice(deletion));
    if (events + removed.length === 0) return true;
  }
  return false;
}
