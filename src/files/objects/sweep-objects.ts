import type { CellJob } from '../../kernel/operation/jobs.ts';
import { log } from '../../kernel/operation/log.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import type { Database } from '../../kernel/sql/database.ts';
import {
  deleteJobPosition,
  findJobPosition,
  saveJobPosition,
} from '../../kernel/sql/job-positions.queries.ts';
import { listUnknownKeys } from './objects.queries.ts';

const PAGES_PER_RUN_MAX = 20;
const OBJECTS_PER_PAGE = 500;
/** Newer objects may belong to a request that is still running. */
const ORPHAN_AGE_MS_MIN = 48 * 60 * 60_000;
/** If a larger share of the objects are orphans, rows were probably lost. One orphan per run is always allowed. */
const ORPHAN_SHARE_MAX = 0.01;
const SWEEP_POSITION_NAME = 'objects';
/**
 * The job position with this name stores how many orphans stopped a sweep, or `confirmed` once an operator has approved
 * their deletion (docs/operations.md).
 */
const SWEEP_STOP_NAME = 'objects.brake';
const SWEEP_CONFIRMED = 'confirmed';

/**
 * The number of statements and calls per run and per page. A run reads the two job positions, saves one and deletes the
 * other. For each page, it lists objects, looks them up and deletes orphans.
 */
const SWEEP_COST = { run: 4, page: 3 };

/** Checks only the objects in the cell's folder, so objects of cells that aren't bound are kept. */
export const sweepObjects: CellJob = {
  name: 'objects.sweep',
  cost: SWEEP_COST.run + SWEEP_COST.page,
  isDue: null,
  async run(scope, no, allowance) {
    const pages = countAffordableUnits(
      { left: allowance.left - SWEEP_COST.run },
      SWEEP_COST.page,
      PAGES_PER_RUN_MAX,
    );
    await sweepCell(scope, no, pages);
    return false;
  },
};

async function sweepCell(scope: RequestScope, no: number, pages: number): Promise<void> {
  const cell = scope.cell(no);
  const [sweep, brake] = await cell.batch([
    findJobPosition(SWEEP_POSITION_NAME),
    findJobPosition(SWEEP_STOP_NAME),
  ]);
  if (brake && brake.position !== SWEEP_CONFIRMED) {
    log('error', 'objects.sweep_refused', { cell: no, orphans: brake.position });
    return;
  }
  const run = await findOrphans(scope, cell, no, sweep?.position ?? '', pages);
  const allowed = Math.max(1, Math.floor(run.objects * ORPHAN_SHARE_MAX));
  if (run.orphans.length > allowed && !brake) {
    const orphans = `${run.orphans.length} of ${run.objects}`;
    // Doesn't save the sweep's position, so that the next run checks the same objects again.
    await cell.batch([saveJobPosition(SWEEP_STOP_NAME, orphans)]);
    log('error', 'objects.sweep_refused', { cell: no, orphans, example: run.orphans[0] });
    return;
  }
  for (let from = 0; from < run.orphans.length; from += OBJECTS_PER_PAGE) {
    await scope.env.FILES.delete(run.orphans.slice(from, from + OBJECTS_PER_PAGE));
  }
  // A confirmation is valid for one run.
  await cell.batch([saveJobPosition(SWEEP_POSITION_NAME, run.position), deleteJobPosition(SWEEP_STOP_NAME)]);
  if (run.orphans.length > 0) log('info', 'objects.swept', { cell: no, objects: run.orphans.length });
}

interface SweepRun {
  objects: number;
  orphans: string[];
  position: string;
}

async function findOrphans(
  { env, now }: RequestScope,
  cell: Database,
  no: number,
  start: string,
  pages: number,
): Promise<SweepRun> {
  const run: SweepRun = { objects: 0, orphans: [], position: start };
  for (let page = 0; page < pages; page += 1) {
    const listed = await env.FILES.list({
      prefix: `${no}/`,
      limit: OBJECTS_PER_PAGE,
      ...(run.position === '' ? {} : { startAfter: run.position }),
    });
    const old = listed.objects.filter((object) => object.uploaded.getTime() < now - ORPHAN_AGE_MS_MIN);
    if (old.length > 0) {
      const [unknown] = await cell.batch([listUnknownKeys(old.map((object) => object.key))]);
      run.orphans.push(...unknown.map((row) => row.object_key));
      run.objects += old.length;
    }
    run.position = listed.truncated ? (listed.objects.at(-1)?.key ?? '') : '';
    if (run.position === '') break;
  }
  return run;
}
