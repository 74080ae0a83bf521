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

/*
 * The first of two lists of the dashboard, for its page. Their exact totals would cost a row a project and day, and a row
 * a project; a page needs neither (docs/adr/0064).
 */

const filters = { ...peopleFilter, ...projectFilter };
const limit = z.int().min(1).max(PAGE_LIMIT_DEFAULT);

/** Beyond so many deadlines the page says that there are more. */
export const DEADLINES_COUNTED = 100;

export const listNextDeadlines = operation(
  {
    name: 'listNextDeadlines',
    summary: 'List the next deadlines of the dashboard',
    access: 'session',
    capability: 'seeDashboard',
    effect: 'read',
    /** `from` is today. */
    input: z.strictObject({ ...filters, from: civilDate, to: civilDate, limit }),
    /** `total` is counted up to `DEADLINES_COUNTED`; one more means more than that. */
    output: z.object({ data: z.array(dashboardTask), total: z.int() }),
  },
  async ({ db, caller, reach }, { limit, ...input }) => {
    const filter = toTaskFilter(input, reach, everyStatus);
    const ids = pageIds(caller, filter, 'due', rangeOf({ limit, offset: 0 }, 2));
    const [total, rows] = await db.batch([
      countDeadlinesUpTo(DEADLINES_COUNTED, caller, filter),
      selectTasks(caller, filter, ids),
    ]);
    return { data: rows.slice(0, limit).map((row) => toDashboardTask(row, input.from)), total };
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
    const range = rangeOf({ limit, offset: 0 }, 1);
    const [rows] = await db.batch([selectComments(caller, { ...scope, reach }, range)]);
    return { data: (await withContents(db, caller, rows.slice(0, limit))).map(toDashboardComment) };
  },
);
