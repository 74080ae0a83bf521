import * as z from 'zod';
import { withContents } from '../comment-contents/long-pages.ts';
import { operation } from '../kernel/operation.ts';
import { PAGE_LIMIT_DEFAULT, rangeOf } from '../kernel/pagination.ts';
import { civilDate } from '../kernel/schema.ts';
import { listDashboardComments as selectComments } from './comments.queries.ts';
import { toDashboardComment } from './comments.ts';
import { dashboardComment, dashboardTask, peopleFilter, projectFilter } from './dashboard.schema.ts';
import { toTaskFilter } from './filter.ts';
import { everyStatus } from './statuses.ts';
import { countDeadlinesUpTo, pageIds } from './task-pages.queries.ts';
import { listDashboardTasks as selectTasks } from './task-rows.queries.ts';
import { toDashboardTask } from './tasks.ts';
import { FOUND_COUNTED } from './tracked-time.ts';

/*
 * The first of two lists of the dashboard, for its page. Their exact totals would cost a row a project and day, and a row
 * a project; a page needs neither (docs/adr/0064).
 */

const filters = { ...peopleFilter, ...projectFilter };
const limit = z.int().min(1).max(PAGE_LIMIT_DEFAULT);

/** The first rows and no more: a range reads one beyond its limit, which tells whether there are others. */
const first = (rows: number) => rangeOf({ limit: rows - 1, offset: 0 }, 1);

export const listNextDeadlines = operation(
  {
    name: 'listNextDeadlines',
    summary: 'List the next deadlines of the dashboard',
    access: 'session',
    capability: 'seeDashboard',
    effect: 'read',
    /** `from` is today. */
    input: z.strictObject({ ...filters, from: civilDate, to: civilDate, limit }),
    /** `total` is counted up to `FOUND_COUNTED`; one more means more than that. */
    output: z.object({ data: z.array(dashboardTask), total: z.int() }),
  },
  async ({ db, caller, reach }, { limit, ...input }) => {
    const filter = toTaskFilter(input, reach, everyStatus);
    const ids = pageIds(caller, filter, 'due', first(limit));
    const [total, rows] = await db.batch([
      countDeadlinesUpTo(FOUND_COUNTED, caller, filter),
      selectTasks(caller, filter, ids),
    ]);
    return { data: rows.map((row) => toDashboardTask(row, input.from)), total };
  },
);

export const listLatestComments = operation(
  {
    name: 'listLatestComments',
    summary: 'List the latest comments of the dashboard',
    access: 'session',
    capability: 'seeDashboardComments',
    effect: 'read',
    input: z.strictObject({ ...filters, limit }),
    output: z.object({ data: z.array(dashboardComment) }),
  },
  async ({ db, caller, reach }, { limit, ...scope }) => {
    if (reach === 'none') return { data: [] };
    const [rows] = await db.batch([selectComments(caller, { ...scope, reach }, first(limit))]);
    return { data: (await withContents(db, caller, rows)).map(toDashboardComment) };
  },
);
