import type { Caller } from '../../kernel/access/access.ts';
import { getReach } from '../../kernel/access/capabilities.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import type { Context, WriteContext } from '../../kernel/operation/operation.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { type Allowance, unlimitedAllowance } from '../../kernel/sql/budget.ts';
import { type Database, type Statement, WriteConflictError } from '../../kernel/sql/database.ts';
import { splitBySize } from '../../kernel/sql/split-by-size.ts';
import { assertParents, listTrees } from '../../tasks/hierarchy/hierarchy.queries.ts';
import { isSubtask } from '../../tasks/model/insert.queries.ts';
import { selectNewTasks } from '../../tasks/model/selection.queries.ts';
import { createTasks } from '../../tasks/write/tasks.write.ts';
import { findColumns, listImportedTasks, listPeople } from '../model/imports.queries.ts';
import { buildPlan, readFile } from '../model/read-plan.ts';
import type { PlannedTask } from '../plan/plan-import.ts';
import { buildDrafts, measureTrees } from './build-drafts.ts';
import {
  assertImportRunning,
  completeImport,
  countFailure,
  failImport,
  findNewestTask,
  listRunningImport,
  listRunningImports,
  type RunningImport,
  recordImportedTasks,
} from './slices.queries.ts';

const IMPORTS_PER_RUN_MAX = 5;
const TASKS_PER_SLICE_MAX = 50;
const SLICE_CHARACTERS_MAX = 500_000;
/** Statements and calls to read the import's data, create a slice, and record the end or a failure. */
const READ_COST = 6;
const SLICE_COST = 40;
export const IMPORTS_COST = 1 + READ_COST + SLICE_COST + 2;
/** The platform stops work that is still running 30 seconds after a response. A cron job continues. */
const RUN_MS_MAX = 20_000;
const FAILURES_MAX = 5;

/** Runs can overlap and stop at any step. Each slice is one transaction, and a run starts with what is missing. */
export async function continueImports(
  scope: RequestScope,
  no: number,
  allowance: Allowance,
): Promise<boolean> {
  const cell = scope.cell(no);
  const [running] = await cell.batch([listRunningImports(IMPORTS_PER_RUN_MAX)]);
  let isMoreLeft = running.length === IMPORTS_PER_RUN_MAX;
  for (const each of running) {
    if (allowance.left < READ_COST + SLICE_COST + 2) return true;
    if (!(await tryImport(scope, cell, each, allowance))) isMoreLeft = true;
  }
  return isMoreLeft;
}

/** Most imports finish here, so that people don't wait for the cron job. */
export function runImportAfterResponse({ request, caller }: Context, id: number): void {
  const cell = request.cellAfterResponse(caller.cell);
  if (!cell) return;
  request.afterResponse('import.run', async () => {
    const [running] = await cell.batch([listRunningImport(id)]);
    for (const each of running) await tryImport(request, cell, each, unlimitedAllowance);
  });
}

/** Returns whether the import has ended. */
async function tryImport(
  scope: RequestScope,
  cell: Database,
  running: RunningImport,
  allowance: Allowance,
): Promise<boolean> {
  try {
    return await continueImport(scope, cell, running, allowance);
  } catch (error) {
    // Another run has continued the import, or it was canceled.
    if (error instanceof WriteConflictError) return true;
    log('error', 'import.failed', { import: running.id, cause: describeError(error) });
    const isLast = running.failures + 1 >= FAILURES_MAX;
    await cell.batch([
      isLast
        ? failImport(running, 'Something went wrong on our side. Start a new import.', scope.now)
        : countFailure(running),
    ]);
    return isLast;
  }
}

async function continueImport(
  { env, now }: Pick<RequestScope, 'env' | 'now'>,
  cell: Database,
  running: RunningImport,
  allowance: Allowance,
): Promise<boolean> {
  const { ws, project, source, member, timezone } = running;
  const started = Date.now();
  const [people, columns, rows] = await cell.batch([
    listPeople(ws),
    findColumns(ws, project),
    listImportedTasks(ws, project, source),
  ]);
  const author = people.find(({ no }) => no === member);
  const bytes = await readFile(env, running);
  const problem = findProblem(author?.role, columns, bytes);
  if (problem !== null || !bytes) {
    await cell.batch([failImport(running, problem ?? '', now)]);
    return true;
  }
  const options = JSON.parse(running.options);
  const input = { bytes, options, people, columns: columns?.task_columns ?? null, timezone, now };
  const { tasks: plan } = await buildPlan(input);
  const imported = new Map(rows.map(({ external_id, task }) => [external_id, task]));
  const left = plan.filter(({ key }) => !imported.has(key));
  const members = new Set(people.map(({ no }) => no));
  const sizes = measureTrees(plan);
  let { made } = running;
  for (const slice of splitIntoSlices(left)) {
    if (allowance.left < SLICE_COST + 1 || Date.now() - started > RUN_MS_MAX) return false;
    const [trees] = await cell.batch([
      listTrees({ workspace: ws }, { parents: listParents(plan, slice, imported) }),
    ]);
    const drafts = buildDrafts(plan, slice, { project, members, imported, trees, sizes });
    const ctx: WriteContext = {
      caller: { workspace: ws, member, timezone, credential: { id: running.credential } },
      via: running.via,
      now: Math.max(now, Date.now()),
    };
    const keys = slice.map(({ key }) => key);
    const newest = await runWrites(cell, [
      assertImportRunning(running, made),
      ...createTasks(ctx, drafts),
      ...(drafts.some(isSubtask) ? [assertParents({ workspace: ws }, selectNewTasks(drafts.length))] : []),
      ...recordImportedTasks(running, keys),
    ]);
    for (const [place, key] of keys.entries()) imported.set(key, newest - keys.length + 1 + place);
    made += slice.length;
  }
  await cell.batch([completeImport(running, now)]);
  return true;
}

/** Returns the id of the last task that the statements create. */
async function runWrites(cell: Database, writes: readonly Statement<void>[]): Promise<number> {
  const results = await cell.batch([...writes, findNewestTask()]);
  return Number(results.at(-1));
}

function splitIntoSlices(left: readonly PlannedTask[]): PlannedTask[][] {
  const size = ({ description, texts }: PlannedTask) =>
    Math.max(
      SLICE_CHARACTERS_MAX / TASKS_PER_SLICE_MAX,
      texts.reduce((sum, { text }) => sum + text.length, description.length),
    );
  return splitBySize(left, size, SLICE_CHARACTERS_MAX);
}

/** Lists the existing parents of a slice's tasks. */
function listParents(
  plan: readonly PlannedTask[],
  slice: readonly PlannedTask[],
  imported: ReadonlyMap<string, number>,
): number[] {
  const keys = slice.flatMap(({ parent }) => (parent === null ? [] : [plan[parent]?.key ?? '']));
  return [...new Set(keys.flatMap((key) => imported.get(key) ?? []))];
}

function findProblem(
  role: Caller['role'] | undefined,
  columns: object | null,
  bytes: Uint8Array | null,
): string | null {
  if (columns === null) return 'The project was deleted.';
  if (role === undefined || getReach({ role }, 'importTasks') !== 'all')
    return 'The person who started the import can no longer import.';
  return bytes === null ? 'The file was deleted.' : null;
}
