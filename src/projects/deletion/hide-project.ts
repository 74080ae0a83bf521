import { type Database, type Statement, WriteConflict } from '../../kernel/sql/database.ts';
import type { ProjectKey } from '../../tasks/counters/repair.queries.ts';
import { beginDeletion, finishHiding, hidePart } from './hide-project.queries.ts';

type Cell = Pick<Database, 'batch'>;

/**
 * Begins to delete a project, and hides it in the same batch where one part is all of it: true if so. A larger one is
 * hidden in parts, because one batch would hold up the cell for longer than a moment.
 * @param first what goes before it in the batch.
 */
export async function beginHiding(
  cell: Cell,
  project: ProjectKey,
  first: readonly Statement<void>[],
  now: number,
): Promise<boolean> {
  const begin = [...first, ...beginDeletion(project, now)];
  try {
    await cell.batch([...begin, ...hidePart(project, now), ...finishHiding(project)]);
    return true;
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    await cell.batch(begin);
    return false;
  }
}

/**
 * Hides what is left of a project, at most so many parts; true once it is gone. Every part is one transaction and finds
 * for itself what is left, so it may end anywhere and two runs do no harm.
 */
export async function hideInParts(
  cell: Cell,
  project: ProjectKey,
  now: number,
  partsMax: number,
): Promise<boolean> {
  for (let part = 0; part < partsMax; part += 1) {
    const isLeft = (await cell.batch(hidePart(project, now))).at(-1) === 1;
    if (!isLeft && (await finish(cell, project))) return true;
  }
  return false;
}

/** False where somebody has added something since. */
async function finish(cell: Cell, project: ProjectKey): Promise<boolean> {
  try {
    await cell.batch(finishHiding(project));
    return true;
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error;
    return false;
  }
}
