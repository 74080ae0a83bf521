import { parseEnv } from '../../env.ts';
import { MINUTE_MS } from '../../kernel/dates/durations.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import { createRequestScope, type RequestScope } from '../../kernel/operation/request-scope.ts';
import { Budget } from '../../kernel/sql/budget.ts';
import { writeDataPoint } from '../../kernel/telemetry/data-points.ts';
import { CELL_BYTES_MAX } from '../../workspaces/directory/cell-usage.ts';
import { closeCell, listClosedCells, saveCellUsage } from '../../workspaces/directory/directory.queries.ts';
import { countEnvCalls } from '../cron/counted-env.ts';
import { type DatabaseJob, listJobs } from '../cron/due-jobs.ts';
import { type CellState, inspectCell } from '../cron/inspect-cell.queries.ts';
import { orderJobs, runJobs, type ScheduledJob } from '../cron/run-jobs.ts';
import { emptyUsageState, type TrackedUsage, trackUsage, type UsageState } from './track-usage.ts';

const CALLS_MAX = 900;

export interface KeeperMemory {
  get<T>(key: string): T | undefined;
  put<T>(key: string, value: T): void;
}
const UNFINISHED_JOBS_KEY = 'waiting';
const USAGE_KEY = 'usage';

interface KeeperContext {
  readonly env: Env;
  readonly memory: KeeperMemory;
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly cell: number | null;
}

/**
 * Runs a database's due jobs within one budget. A failed job doesn't stop the others. A job that runs out of budget
 * comes first in the next run.
 */
export async function runDatabaseJobs(keeper: KeeperContext, crons: readonly string[]): Promise<void> {
  const { memory, cell } = keeper;
  const budget = new Budget(CALLS_MAX);
  const scope = openScope(keeper, budget);
  const all = crons.flatMap((cron) => listJobs(cron, cell, scope));
  const due = cell === null ? all : await findDueJobs(scope, cell, all, memory);
  const waiting = memory.get<string[]>(UNFINISHED_JOBS_KEY) ?? [];
  const unfinished = await runJobs(orderJobs(due, waiting, Math.floor(scope.now / MINUTE_MS)), budget);
  // Jobs of other crons, such as unfinished nightly jobs, stay in the queue.
  const others = waiting.filter((name) => !all.some((job) => job.name === name));
  const next = [...unfinished, ...others];
  if (JSON.stringify(next) !== JSON.stringify(waiting)) memory.put(UNFINISHED_JOBS_KEY, next);
  if (due.length > 0) recordRun(keeper, scope, crons, unfinished.length > 0 ? 'cut' : 'ok');
  if (unfinished.length > 0)
    log('info', 'cron.cut', { cell, turns: unfinished.length, first: unfinished[0], calls: budget.spent });
}

function recordRun(
  { env, cell }: KeeperContext,
  { meter, now }: RequestScope,
  crons: readonly string[],
  outcome: 'cut' | 'ok',
) {
  writeDataPoint(env, {
    kind: 'cron',
    name: crons.join(', '),
    outcome,
    cell: cell === null ? '' : String(cell),
    ms: Date.now() - now,
    database_ms: meter.databaseMs,
    trips: meter.trips,
    rows_read: meter.rowsRead,
    rows_written: meter.rowsWritten,
  });
}

function openScope({ env, waitUntil }: KeeperContext, budget: Budget): RequestScope {
  const counted = countEnvCalls(env, budget);
  return createRequestScope({
    env: counted,
    config: parseEnv(counted),
    origin: 'http://localhost',
    waitUntil,
  });
}

export async function findDueJobs(
  scope: RequestScope,
  cell: number,
  jobs: readonly DatabaseJob[],
  memory: KeeperMemory,
): Promise<ScheduledJob[]> {
  const conditions = jobs.flatMap(({ job, isDue }) => (isDue ? [[job, isDue] as const] : []));
  let state: CellState;
  try {
    [state] = await scope.cell(cell).batch([inspectCell(new Map(conditions))]);
  } catch (error) {
    log('error', 'cron.failed', { job: `every job ${cell}`, cause: describeError(error) });
    return [];
  }
  const before = memory.get<UsageState>(USAGE_KEY) ?? emptyUsageState;
  const database = scope.config.cells.get(cell);
  const bytes = database ? scope.meter.getDatabaseBytes(database) : 0;
  const usage = trackUsage(before, { bytes, created: state.created }, scope.now, cell);
  if (usage.memory !== before && !usage.report) memory.put(USAGE_KEY, usage.memory);
  const due = jobs.filter(({ job, isDue }) => isDue === null || state.due.has(job));
  return usage.report ? [buildUsageJob(scope, cell, usage, memory), ...due] : due;
}

function buildUsageJob(
  scope: RequestScope,
  cell: number,
  { report, reached, memory: next }: TrackedUsage,
  memory: KeeperMemory,
): ScheduledJob {
  const usage = report ?? { bytes: 0, changes: 0 };
  const closes = reached === CELL_BYTES_MAX;
  return {
    name: `usage.report ${cell}`,
    cost: 3,
    run: async () => {
      const saved = saveCellUsage(cell, usage, scope.now);
      const [, closed = []] =
        reached === null
          ? await scope.directory.batch([saved])
          : await scope.directory.batch([saved, listClosedCells(), ...(closes ? [closeCell(cell)] : [])]);
      // Remembers the report after the directory has stored it, so that a failed report is repeated.
      memory.put(USAGE_KEY, next);
      const others = [...scope.config.cells.keys()].filter(
        (no) => no !== cell && !closed.some((row) => row.cell === no),
      );
      if (reached !== null)
        log('error', closes ? 'cell.closed' : 'cell.large', {
          cell,
          bytes: usage.bytes,
          open_cells: others.length,
        });
      return false;
    },
  };
}
