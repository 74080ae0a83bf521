import { wallClock } from '../kernel/civil.ts';
import type { Scope } from '../kernel/request-scope.ts';
import { listLateBorders, moveBordersOf } from './borders.queries.ts';

const WORKSPACES_A_RUN = 50;

/**
 * Sums the deadlines that the borders have passed since the last run, so that the tiles of the dashboard stay cheap.
 * Nothing is wrong while it is late, and a second run finds nothing to do.
 */
export async function moveBorders(scope: Scope): Promise<void> {
  const today = wallClock(scope.now, 'UTC').date;
  for (const no of scope.config.cells.keys()) {
    const cell = scope.cell(no);
    const [late] = await cell.batch([listLateBorders(today, WORKSPACES_A_RUN)]);
    for (const { ws } of late) await cell.batch(moveBordersOf(ws, today));
  }
}
