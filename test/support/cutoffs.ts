import { moveWorkspaceCutoffs } from '../../src/tasks/counters/cutoffs.queries.ts';
import { cellOf } from './env.ts';
import type { Workspace } from './world.ts';

/** Moves the cutoffs as the cron job does on that day. */
export async function moveCutoffs(
  { no, cell }: Pick<Workspace, 'no' | 'cell'>,
  today: string,
): Promise<void> {
  const db = cellOf(cell);
  await db.batch(moveWorkspaceCutoffs([no], today).map(({ sql, params }) => db.prepare(sql).bind(...params)));
}
