import { moveWorkspaceCutoffs } from '../../src/tasks/counters/cutoffs.queries.ts';
import { getCell } from './env.ts';
import type { Workspace } from './world.ts';

export async function moveCutoffs(
  { no, cell }: Pick<Workspace, 'no' | 'cell'>,
  today: string,
): Promise<void> {
  const db = getCell(cell);
  await db.batch(moveWorkspaceCutoffs([no], today).map(({ sql, params }) => db.prepare(sql).bind(...params)));
}
