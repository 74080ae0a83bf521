import { type BatchDatabase, type Statement, WriteConflictError } from '../../kernel/sql/database.ts';
import type { ProjectKey } from '../../tasks/counters/repair.queries.ts';
import { beginDeletion, finishHiding, hidePart } from './hide-project.queries.ts';

/**
 * Returns true if one batch hid everything. Larger projects take several batches, so that no batch blocks the cell.
 */
export async function startHidingProject(
  cell: BatchDatabase,
  project: ProjectKey,
  first: readonly Statement<void>[],
  now: number,
): Promise<boolean> {
  const begin = [...first, ...beginDeletion(project, now)];
  try {
    await cell.batch([...begin, ...hidePart(project, now), ...finishHiding(project)]);
    return true;
  } catch (error) {
    if (!(error instanceof WriteConflictError)) throw error;
    await cell.batch(begin);
    return false;
  }
}

/** Returns true once the project is gone. A run can stop at any point, and runs can overlap. */
export async function hideProjectInParts(
  cell: BatchDatabase,
  project: ProjectKey,
  now: number,
  partsMax: number,
): Promise<boolean> {
  for (let part = 0; part < partsMax; part += 1) {
    const isLeft = (await cell.batch(hidePart(project, now))).at(-1) === 1;
    if (!isLeft && (await finishHidingIfEmpty(cell, project))) return true;
  }
  return false;
}

/** Returns false if someone has added a row to the project since the last part was hidden. */
async function finishHidingIfEmpty(cell: BatchDatabase, project: ProjectKey): Promise<boolean> {
  try {
    await cell.batch(finishHiding(project));
    return true;
  } catch (error) {
    if (!(error instanceof WriteConflictError)) throw error;
    return false;
  }
}
