import * as z from 'zod';
import type { Caller } from '../../kernel/access/access.ts';
import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { boundedCount, TASKS_READ_MAX, toBoundedCount } from '../../kernel/lists/bounded-count.ts';
import { firstRowsLimit, type PageRange, toFirstRange } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { hasMoreParts, sumTotals } from '../../search/index/search.ts';
import type { DashboardFilter } from '../filter/dashboard-filter.queries.ts';
import { dashboardFilterInput } from '../filter/dashboard-filter.schema.ts';
import { toDashboardFilter } from '../filter/dashboard-filter.ts';
import { buildNewestSearchParts } from '../filter/newest-search-parts.ts';
import { needsProjectCheck, scopeIncludesWholeRanges } from '../filter/scoped-tasks.queries.ts';
import { allStatusIndexes } from '../filter/statuses.ts';
import { seesEveryProject } from '../scope/scope.queries.ts';
import { dashboardTask } from './dashboard-tasks.schema.ts';
import { toDashboardTask } from './dashboard-tasks.ts';
import { countMatches, selectMatchPage } from './search-pages.queries.ts';
import {
  countDeadlines,
  selectIdsByNearestDeadline,
  selectIdsByProjectStatus,
  selectPageIds,
} from './task-pages.queries.ts';
import { type DashboardTaskRow, listDashboardTasks as selectTasks } from './task-rows.queries.ts';

/** Returns no exact total, because counting would read a row per project per day (docs/adr/0009). */
export const listNextDeadlines = defineOperation(
  {
    name: 'listNextDeadlines',
    summary: 'List the upcoming deadlines on the dashboard',
    description:
      'With `search`, only the newest tasks are searched. With other filters, only a limited number of the nearest deadlines are checked, so matches with later deadlines can be missing.',
    access: 'session',
    capability: 'seeDashboard',
    effect: 'read',
    input: dashboardFilterInput.omit({ taskId: true, localDate: true }).extend({ limit: firstRowsLimit }),
    output: z.object({ data: z.array(dashboardTask), total: boundedCount }),
  },
  async ({ db, caller, reach, now }, { limit, ...input }) => {
    const filter = toDashboardFilter(input, reach, allStatusIndexes);
    const today = toWallClock(now, caller.timezone).date;
    const page = toFirstRange(limit);
    const show = (rows: readonly DashboardTaskRow[]) => rows.map((row) => toDashboardTask(row, today));
    if (filter.search !== undefined) {
      const parts = buildNewestSearchParts(caller, filter.search, filter);
      const [tallies, found] = await db.batch([
        countMatches(caller, parts, filter),
        selectTasks(caller, filter, selectMatchPage(caller, parts, filter, 'due', page)),
      ]);
      return { data: show(found), total: toBoundedCount(sumTotals(tallies), !hasMoreParts(parts, tallies)) };
    }
    if (filter.teamId !== undefined) {
      // Doesn't count the matches, because each person and status has its own range, and counting would cost as much as
      // the list.
      const [rows] = await db.batch([selectTasks(caller, filter, selectTaskIds(caller, filter, page))]);
      return { data: show(rows), total: { count: rows.length, isAll: rows.length < limit } };
    }
    const most = scopeIncludesWholeRanges(filter) ? TASKS_READ_MAX.ifUnfiltered : TASKS_READ_MAX.ifFiltered;
    const ids = selectTaskIds(caller, filter, page);
    const [{ walked, found }, rows] = await db.batch([
      countDeadlines(caller, filter, most),
      selectTasks(caller, filter, ids),
    ]);
    return { data: show(rows), total: toBoundedCount(found, walked < most) };
  },
);

function selectTaskIds(caller: Caller, filter: DashboardFilter, page: PageRange) {
  if (needsProjectCheck(filter)) return selectIdsByNearestDeadline(caller, filter, page);
  return filter.projectStatus !== undefined && seesEveryProject(filter)
    ? selectIdsByProjectStatus(caller, filter, page)
    : selectPageIds(caller, filter, 'due', page);
}
