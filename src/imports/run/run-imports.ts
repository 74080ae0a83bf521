import type { Caller } from '../../kernel/access/access.ts';
import { getReach } from '../../kernel/access/capabilities.ts';
import type { CellJob } from '../../kernel/operation/jobs.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import type { Context, WriteContext } from '../../kernel/operation/operation.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { type Allowance, unlimitedAllowance } from '../../kernel/sql/budget.ts';
import { type Database, type Statement, WriteConflictError } from '../../kernel/sql/database.ts';
import { assertValidParents, listTrees } from '../../tasks/hierarchy/hierarchy.queries.ts';
import { hasOtherAssignees, isSubtask, type TaskDraft } from '../../tasks/model/insert.queries.ts';
import { selectNewTasks, selectTasksFromSubquery } from '../../tasks/model/selection.queries.ts';
import { changeTasks, createTasks } from '../../tasks/write/tasks.write.ts';
import {
  applyFrozenOptions,
  buildImportPlan,
  readImportFile,
  type StoredImportOptions,
} from '../model/build-import-plan.ts';
import { findTaskColumns, listImportedTasks, listMembersForImport } from '../model/imports.queries.ts';
import type { PlannedTask } from '../plan/plan-import.ts';
import { readSource } from '../sources/read-source.ts';
import { buildDrafts, measureTrees } from './build-drafts.ts';
import {
  assertImportRunning,
  completeImport,
  failImport,
  findNewestTask,
  hasRunningImports,
  listRunningImport,
  listRunningImports,
  type RunningImport,
  recordImportedTasks,
  recordRunStart,
  selectNewTaskIds,
} from './slices.queries.ts';
import { type SliceTask, splitIntoSlices } from './split-into-slices.ts';

const IMPORTS_PER_RUN_MAX = 5;
/** The number of statements and calls that read an import's data. `SLICE_COST` is the number for one slice. */
const READ_COST = 7;
const SLICE_COST = 40;
/** The platform stops work 30 seconds after a response, so a run ends earlier. A cron job then continues the import. */
const RUN_MS_MAX = 20_000;
/** Planning one import can block for seconds. A run that has spent this time on planning starts no more imports. */
const PLANNING_MS_MAX = 5_000;
const FAILURES_MAX = 5;

interface RunResult {
  readonly hasEnded: boolean;
  readonly planningMs: number;
}

/** Each slice is one transaction, and each run continues with the tasks that are missing. */
export const continueImports: CellJob = {
  name: 'imports.run',
  cost: 1 + READ_COST + SLICE_COST + 2,
  isDue: hasRunningImports,
  async run(scope, no, allowance) {
    const cell = scope.cell(no);
    const [running] = await cell.batch([listRunningImports(scope.now, IMPORTS_PER_RUN_MAX)]);
    const msMax = RUN_MS_MAX / running.length;
    let isMoreLeft = running.length === IMPORTS_PER_RUN_MAX;
    let planningMs = 0;
    for (const each of running) {
      if (allowance.left < READ_COST + SLICE_COST + 2 || planningMs >= PLANNING_MS_MAX) return true;
      const result = await tryToContinueImport(scope, cell, each, { allowance, msMax });
      if (!result.hasEnded) isMoreLeft = true;
      planningMs += result.planningMs;
    }
    return isMoreLeft;
  },
};

export function runImportAfterResponse({ request, caller }: Context, id: number): void {
  const cell = request.cellAfterResponse(caller.cell);
  if (!cell) return;
  request.afterResponse('import.run', async () => {
    const [running] = await cell.batch([listRunningImport(request.now, id)]);
    const limits = { allowance: unlimitedAllowance, msMax: RUN_MS_MAX };
    for (const each of running) await tryToContinueImport(request, cell, each, limits);
  });
}

interface RunLimits {
  readonly allowance: Allowance;
  readonly msMax: number;
}

async function tryToContinueImport(
  scope: RequestScope,
  cell: Database,
  running: RunningImport,
  limits: RunLimits,
): Promise<RunResult> {
  const began = Date.now();
  const buildResult = (hasEnded: boolean): RunResult => ({ hasEnded, planningMs: Date.now() - began });
  const fail = async () => {
    await cell.batch([
      failImport(running, 'Something went wrong on our end. Start a new import.', scope.now),
    ]);
    return buildResult(true);
  };
  // Also checks this before the run, because the platform can stop a run without an error.
  if (running.failures >= FAILURES_MAX) return fail();
  try {
    await cell.batch([recordRunStart(running, scope.now)]);
    return await continueImport(scope, cell, running, limits);
  } catch (error) {
    if (error instanceof WriteConflictError) return buildResult(true);
    log('error', 'import.failed', { import: running.id, cause: describeError(error) });
    return running.failures + 1 >= FAILURES_MAX ? fail() : buildResult(false);
  }
}

async function continueImport(
  { env, now }: Pick<RequestScope, 'env' | 'now'>,
  cell: Database,
  running: RunningImport,
  { allowance, msMax }: RunLimits,
): Promise<RunResult> {
  const { ws, project, source, member, timezone } = running;
  const [people, columns, rows] = await cell.batch([
    listMembersForImport(ws),
    findTaskColumns(ws, project),
    listImportedTasks(ws, project, source),
  ]);
  const author = people.find(({ no }) => no === member);
  const bytes = await readImportFile(env, running);
  const problem = findImportProblem(running, { role: author?.role, columns, bytes });
  if (problem !== null || !bytes) {
    await cell.batch([failImport(running, problem ?? '', now)]);
    return { hasEnded: true, planningMs: 0 };
  }
  const began = Date.now();
  const stored: StoredImportOptions = JSON.parse(running.options);
  const input = applyFrozenOptions(stored, {
    ...{ bytes, people, timezone, now },
    source: readSource(bytes, stored.columns),
    columns: columns?.task_columns ?? null,
  });
  const { tasks: plan } = await buildImportPlan(input);
  const imported = new Map(rows.map(({ external_id, task }) => [external_id, task]));
  const left = plan.filter(({ key }) => !imported.has(key));
  const members = new Set(people.map(({ no }) => no));
  const sizes = measureTrees(plan);
  // In Workers, the clock advances only during I/O, so planning is measured up to the end of the first database call.
  let planningMs: number | null = null;
  let { made } = running;
  for (const slice of splitIntoSlices(left)) {
    const isOver = allowance.left < SLICE_COST + 1 || Date.now() - began > msMax;
    // Every run creates at least one slice, even if planning took too long, so that the import makes
    // progress.
    if (isOver && planningMs !== null) return { hasEnded: false, planningMs };
    const [trees] = await cell.batch([
      listTrees({ workspace: ws }, { parents: listExistingParents(plan, slice, imported) }),
    ]);
    planningMs ??= Date.now() - began;
    const drafts = buildDrafts(plan, slice, { project, members, imported, trees, sizes });
    const ctx: WriteContext = {
      caller: { workspace: ws, member, timezone, credential: { id: running.credential } },
      via: running.via,
      now: Math.max(now, Date.now()),
    };
    const keys = slice.map(({ task }) => task.key);
    const newest = await writeAndGetNewestTaskId(cell, [
      assertImportRunning(running, made, ctx.now),
      ...createTasks(ctx, drafts),
      ...archiveNewTasks(ctx, slice, drafts),
      ...(drafts.some(isSubtask)
        ? [assertValidParents({ workspace: ws }, selectNewTasks(drafts.length))]
        : []),
      ...recordImportedTasks(running, keys),
    ]);
    for (const [place, key] of keys.entries()) imported.set(key, newest - keys.length + 1 + place);
    made += slice.length;
  }
  await cell.batch([completeImport(running, now)]);
  return { hasEnded: true, planningMs: planningMs ?? Date.now() - began };
}

/** Tasks are created before they are archived, so that their history shows both steps. */
function archiveNewTasks(
  ctx: WriteContext,
  slice: readonly SliceTask[],
  drafts: readonly TaskDraft[],
): Statement<void>[] {
  const places = [...slice.keys()].filter((place) => slice[place]?.task.isArchived);
  if (places.length === 0) return [];
  return changeTasks(
    ctx,
    selectTasksFromSubquery(selectNewTaskIds(drafts.length, places)),
    { archived: 1 },
    {
      mayUnblock: false,
      mayHaveComments: false,
      mayHaveParents: drafts.some(isSubtask),
      mayHaveTags: drafts.some(({ tags }) => tags !== '[]'),
      mayHaveOtherAssignees: drafts.some(hasOtherAssignees),
    },
  );
}

async function writeAndGetNewestTaskId(cell: Database, writes: readonly Statement<void>[]): Promise<number> {
  const results = await cell.batch([...writes, findNewestTask()]);
  return Number(results.at(-1));
}

function listExistingParents(
  plan: readonly PlannedTask[],
  slice: readonly SliceTask[],
  imported: ReadonlyMap<string, number>,
): number[] {
  const keys = slice.flatMap(({ task: { parent } }) => (parent === null ? [] : [plan[parent]?.key ?? '']));
  return [...new Set(keys.flatMap((key) => imported.get(key) ?? []))];
}

function findImportProblem(
  { is_credential_active }: RunningImport,
  {
    role,
    columns,
    bytes,
  }: { role: Caller['role'] | undefined; columns: object | null; bytes: Uint8Array | null },
): string | null {
  if (columns === null) return 'The project was deleted.';
  if (role === undefined || getReach({ role }, 'importTasks') !== 'all')
    return 'The person who started the import can no longer import tasks.';
  if (is_credential_active === 0)
    return 'The API key or app that started the import was revoked or has expired.';
  return bytes === null ? 'The file was deleted.' : null;
}
