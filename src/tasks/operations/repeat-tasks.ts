import type { CellJob } from '../../kernel/operation/jobs.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import type { WriteContext } from '../../kernel/operation/operation.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import { type Database, WriteConflictError } from '../../kernel/sql/database.ts';
import { planDueSeries } from '../recurrence/recurrence-days.ts';
import {
  type DueSeriesRow,
  hasDueSeries,
  listDueSeries,
  postponeSeries,
} from '../recurrence/recurrences.queries.ts';
import { buildNextTaskStatements, buildNextTasks } from '../write/next-tasks.ts';

const SERIES_PER_RUN = 20;
/** Includes the statements that read a task's subtasks and those that postpone its series after a failure. */
const STATEMENTS_PER_REPEATED_TASK = 40;
const RETRY_DELAY_MS = 5 * 60_000;

/** Runs can overlap. After an outage, each run creates one task per series, until every missed day has its task. */
export const repeatTasks: CellJob = {
  name: 'tasks.repeat',
  cost: 1 + STATEMENTS_PER_REPEATED_TASK,
  isDue: hasDueSeries,
  async run(scope, no, allowance) {
    const cell = scope.cell(no);
    const limit = countAffordableUnits(
      { left: allowance.left - 1 },
      STATEMENTS_PER_REPEATED_TASK,
      SERIES_PER_RUN,
    );
    const [due] = await cell.batch([listDueSeries(scope.now, limit)]);
    let created = 0;
    for (const series of due) if (await repeatTask(cell, series, scope.now, no)) created += 1;
    return due.length === limit || created > 0;
  },
};

/** Returns whether a task was created. If so, the job runs again, because the new task's day may also have begun. */
async function repeatTask(cell: Database, series: DueSeriesRow, now: number, no: number): Promise<boolean> {
  const { ws, task, timezone } = series;
  const key = { cell: no, task };
  try {
    const plan = series.is_hidden === 1 ? { waitUntil: null } : planDueSeries(series, now, timezone);
    if ('waitUntil' in plan) {
      await cell.batch([postponeSeries(ws, task, plan.waitUntil)]);
      return false;
    }
    const { author } = series;
    const day = series.is_alive === 1 && author !== null ? plan.day : null;
    const ctx: WriteContext = {
      caller: { workspace: ws, member: author ?? 0, timezone },
      via: 'system',
      now,
    };
    const next = await buildNextTasks(ctx, cell, [{ ...series, day }]);
    await cell.batch(buildNextTaskStatements(ctx, next));
    if (day === null) log('info', 'recurrence.ended', key);
    return day !== null;
  } catch (error) {
    // Another run created the task first, or someone changed the recurrence. The next run continues.
    if (error instanceof WriteConflictError) return false;
    log('error', 'recurrence.failed', { ...key, cause: describeError(error) });
    await postponeFailedSeries(cell, series, now, key);
    return false;
  }
}

/** Postpones the series, because one that always fails would otherwise come first in every run. */
async function postponeFailedSeries(
  cell: Database,
  { ws, task }: DueSeriesRow,
  now: number,
  key: { cell: number; task: number },
) {
  try {
    await cell.batch([postponeSeries(ws, task, now + RETRY_DELAY_MS)]);
  } catch (error) {
    log('error', 'recurrence.not_postponed', { ...key, cause: describeError(error) });
  }
}
