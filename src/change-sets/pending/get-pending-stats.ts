import type * as z from 'zod';
import { toDashboardFilter } from '../../dashboard/filter/dashboard-filter.ts';
import { openStatusIndexes } from '../../dashboard/filter/statuses.ts';
import { countDashboardTasks } from '../../dashboard/tasks/task-pages.queries.ts';
import type { DashboardStats } from '../../dashboard/tiles/stats.schema.ts';
import { getDashboardStats } from '../../dashboard/tiles/stats.ts';
import { getTileDays } from '../../dashboard/tiles/tile-days.ts';
import { countTilesByProject, type ProjectTileCounts } from '../../dashboard/tiles/tiles.queries.ts';
import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { assertUnchanged, readFromTables } from '../../kernel/sql/database.ts';
import { readOpenSet, toPendingTasks } from './pending-set.ts';
import { buildPendingTables } from './pending-tasks.queries.ts';

/** Each changed project needs a separate statement to count its matching tasks. */
const CHANGED_PROJECTS_MAX = 20;

export async function getPendingStats(
  ctx: Context,
  input: z.output<typeof getDashboardStats.input>,
): Promise<DashboardStats> {
  const { db, caller, reach, now } = ctx;
  const filter = toDashboardFilter(input, reach, openStatusIndexes);
  if (filter.search !== undefined || filter.taskId !== undefined) {
    throw invalidRequestError(
      "Stats for a search can't include your open change set. Use find_tasks with the same search.",
    );
  }
  const pending = await readOpenSet(ctx);
  const days = getTileDays(filter, input.localDate ?? toWallClock(now, caller.timezone).date);
  const tables = buildPendingTables(caller, toPendingTasks(pending, now));
  const stored = (await getDashboardStats.handler(ctx, input)) as DashboardStats;
  const counted = countTilesByProject(caller, filter, days, pending.ids);
  const [before, after] = await db.batch([
    counted,
    readFromTables(counted, tables),
    assertUnchanged(pending.isUnchanged),
  ]);
  const getDifference = (tile: 'overdue' | 'due_today' | 'due_this_week') =>
    sum(after.map((each) => each[tile])) - sum(before.map((each) => each[tile]));
  return {
    projects: filter.isFiltered ? stored.projects + (await compareProjects(before, after)) : stored.projects,
    overdue: stored.overdue + getDifference('overdue'),
    dueToday: stored.dueToday + getDifference('due_today'),
    dueThisWeek: stored.dueThisWeek + getDifference('due_this_week'),
  };

  async function compareProjects(was: readonly ProjectTileCounts[], becomes: readonly ProjectTileCounts[]) {
    const touched = [...was, ...becomes].filter((each) => each.is_mine === 1).map((each) => each.project);
    const projects = [...new Set(touched)];
    if (projects.length > CHANGED_PROJECTS_MAX) {
      throw invalidRequestError(
        `Filtered stats support change sets with changes in up to ${CHANGED_PROJECTS_MAX} projects; yours has changes in ${projects.length}. Add a project filter.`,
      );
    }
    const totals = await db.batch(
      projects.map((projectId) => countDashboardTasks(caller, { ...filter, projectId })),
    );
    const getMatches = (rows: readonly ProjectTileCounts[], project: number) =>
      rows.find((each) => each.project === project)?.matches ?? 0;
    return sum(
      projects.map((project, index) => {
        const total = totals[index] ?? 0;
        const then = total - getMatches(was, project) + getMatches(becomes, project);
        return Number(then > 0) - Number(total > 0);
      }),
    );
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
