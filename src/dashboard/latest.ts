import * as z from 'zod';
import { withContents } from '../comment-contents/long-pages.ts';
import type { Caller } from '../kernel/access.ts';
import { wallClock } from '../kernel/civil.ts';
import { operation } from '../kernel/operation.ts';
import { PAGE_LIMIT_DEFAULT, type Range, rangeOf } from '../kernel/pagination.ts';
import { isUnfinished, sumOf } from '../search/search.ts';
import { listNewestFound } from './comment-search.queries.ts';
import { type DashboardCommentRow, listDashboardComments as selectComments } from './comments.queries.ts';
import { toDashboardComment } from './comments.ts';
import { dashboardComment, dashboardCommentsInput, dashboardTask, statsInput } from './dashboard.schema.ts';
import { toTaskFilter } from './filter.ts';
import type { TaskFilter } from './found-tasks.queries.ts';
import { seesEveryProject } from './scope.queries.ts';
import { asksEach, isAllOfRanges } from './scoped-tasks.queries.ts';
import { countFound, foundPage } from './search-pages.queries.ts';
import { countSoFar, LOOKED_AT, newestParts, toSoFar, WALKED } from './so-far.ts';
import { everyStatus } from './statuses.ts';
import { countDeadlines, idsOfStatus, nearestIds, pageIds } from './task-pages.queries.ts';
import { type DashboardTaskRow, listDashboardTasks as selectTasks } from './task-rows.queries.ts';
import { toDashboardTask } from './tasks.ts';

/*
 * The first of two lists of the dashboard, for its page. Their exact totals would cost a row a project and day, and a row
 * a project; a page needs neither (docs/adr/0064).
 */

const limit = z.int().min(1).max(PAGE_LIMIT_DEFAULT);

/** The first rows and no more: a range reads one beyond its limit, which tells whether there are others. */
const first = (rows: number) => rangeOf({ limit: rows - 1, offset: 0 }, 1);

export const listNextDeadlines = operation(
  {
    name: 'listNextDeadlines',
    summary: 'List the next deadlines of the dashboard',
    description:
      'Of what a text finds, the next among the newest; of a filter that is asked of each task, among the next.',
    access: 'session',
    capability: 'seeDashboard',
    effect: 'read',
    input: statsInput.omit({ taskId: true, localDate: true }).extend({ limit }),
    output: z.object({ data: z.array(dashboardTask), total: countSoFar }),
  },
  async ({ db, caller, reach, now }, { limit, ...input }) => {
    const filter = toTaskFilter(input, reach, everyStatus);
    const today = wallClock(now, caller.timezone).date;
    const page = first(limit);
    const show = (rows: readonly DashboardTaskRow[]) => rows.map((row) => toDashboardTask(row, today));
    if (filter.search !== undefined) {
      const parts = newestParts(caller, filter.search, filter);
      const [tallies, found] = await db.batch([
        countFound(caller, parts, filter),
        selectTasks(caller, filter, foundPage(caller, parts, filter, 'due', page)),
      ]);
      return { data: show(found), total: toSoFar(sumOf(tallies), !isUnfinished(parts, tallies)) };
    }
    if (filter.teamId !== undefined) {
      // A range a person and status: to walk them once more for a number costs as much as the list.
      const [rows] = await db.batch([selectTasks(caller, filter, idsOf(caller, filter, page))]);
      return { data: show(rows), total: { count: rows.length, isAll: rows.length < limit } };
    }
    const most = isAllOfRanges(filter) ? WALKED.ifAllCount : WALKED.ifSomeDo;
    const ids = idsOf(caller, filter, page);
    const [{ walked, found }, rows] = await db.batch([
      countDeadlines(caller, filter, most),
      selectTasks(caller, filter, ids),
    ]);
    return { data: show(rows), total: toSoFar(found, walked < most) };
  },
);

function idsOf(caller: Caller, filter: TaskFilter, page: Range) {
  if (asksEach(filter)) return nearestIds(caller, filter, page);
  return filter.projectStatus !== undefined && seesEveryProject(filter)
    ? idsOfStatus(caller, filter, page)
    : pageIds(caller, filter, 'due', page);
}

export const listLatestComments = operation(
  {
    name: 'listLatestComments',
    summary: 'List the latest comments of the dashboard',
    description: 'Of a text, those among the newest that may hold it.',
    access: 'session',
    capability: 'seeDashboardComments',
    effect: 'read',
    input: dashboardCommentsInput.omit({ offset: true, cursor: true }).extend({ limit }),
    output: z.object({
      data: z.array(dashboardComment),
      /** Whether older ones may fit as well although the list is not full. */
      isCut: z.boolean(),
    }),
  },
  async ({ db, caller, reach }, { limit, search, ...scope }) => {
    if (reach === 'none') return { data: [], isCut: false };
    const filter = { ...scope, reach };
    const show = async (rows: readonly DashboardCommentRow[]) =>
      (await withContents(db, caller, rows)).map(toDashboardComment);
    if (search) {
      const [rows, candidates] = await db.batch(
        listNewestFound({ caller, filter, text: search }, limit, LOOKED_AT.comments),
      );
      return { data: await show(rows), isCut: rows.length < limit && candidates >= LOOKED_AT.comments };
    }
    const [rows] = await db.batch([selectComments(caller, filter, first(limit))]);
    return { data: await show(rows), isCut: false };
  },
);
