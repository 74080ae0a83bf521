import { type Allowance, unitsOf } from '../kernel/budget.ts';
import { log } from '../kernel/log.ts';
import { findPosition, savePosition } from '../kernel/positions.queries.ts';
import type { Scope } from '../kernel/request-scope.ts';
import { listUnknownKeys } from './attachments.queries.ts';
import { cellOfObjectKey } from './storage.ts';

const PAGES_A_RUN = 20;
const OBJECTS_A_PAGE = 500;
/** Younger objects may belong to a request that is still running. */
const AGE_MS_MIN = 48 * 60 * 60_000;
const SWEEP = 'objects';
const SWEEP_CELL = 0;

/** A page is listed and noted; its keys are looked up in each cell that they name, and deleted cell by cell. */
export const SWEEP_PAGE_COST = (cells: number) => 2 + 2 * cells;

/** Deletes objects that no row knows, some pages a run, and goes on where the last run ended. Safe to run twice. */
export async function sweepObjects(scope: Scope, allowance: Allowance): Promise<boolean> {
  const home = scope.cell(SWEEP_CELL);
  const [sweep] = await home.batch([findPosition(SWEEP)]);
  let position = sweep?.position ?? '';
  const cost = SWEEP_PAGE_COST(scope.config.cells.size);
  for (let page = 0; page < PAGES_A_RUN; page += 1) {
    if (unitsOf(allowance, cost, 1) === 0) return true;
    const listed = await scope.env.FILES.list({
      limit: OBJECTS_A_PAGE,
      ...(position === '' ? {} : { startAfter: position }),
    });
    await deleteOrphans(scope, listed.objects);
    position = listed.truncated ? (listed.objects.at(-1)?.key ?? '') : '';
    await home.batch([savePosition(SWEEP, position)]);
    if (position === '') return false;
  }
  return false;
}

async function deleteOrphans(scope: Scope, objects: readonly R2Object[]) {
  const old = objects.filter((object) => object.uploaded.getTime() < scope.now - AGE_MS_MIN);
  for (const [cell, members] of Map.groupBy(old, (object) => cellOfObjectKey(object.key))) {
    // What this deployment did not name, or what lies in a cell that is not bound, is not ours to judge.
    if (cell === null || !scope.config.cells.has(cell)) continue;
    const [unknown] = await scope.cell(cell).batch([listUnknownKeys(members.map((object) => object.key))]);
    if (unknown.length === 0) continue;
    await scope.env.FILES.delete(unknown.map((row) => row.s3_key));
    log('info', 'objects.swept', { cell, objects: unknown.length });
  }
}
