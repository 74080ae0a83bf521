import { bucketList, bucketSum } from '../counters/counts.queries.ts';
import type { Caller } from '../kernel/access.ts';
import { number, type Statement } from '../kernel/database.ts';
import { isAfter, type Range } from '../kernel/pagination.ts';
import { columns, names, type Row, type SQL, sql } from '../kernel/sql.ts';
import { bucketsOfStatuses } from '../task-model/buckets.ts';
import {
  limitWhere,
  NARROW_MAX,
  orderOf,
  sortColumnsOf,
  sorted as sortedTasks,
  type TaskOrder,
  type TaskRanges,
  taskOrders,
  walkTasks,
} from '../task-model/task-orders.queries.ts';
import { NO_DEADLINE, tasks } from '../task-model/tasks.sql.ts';
import type { DashboardSort } from './dashboard.schema.ts';
import { deadlineRange, namedTask, type TaskFilter } from './found-tasks.queries.ts';
import {
  besideMyProjects,
  coversWorkspace,
  inScope,
  isOfEveryProject,
  picksPeople,
  scopedSum,
  scopeTables,
  seesPeople,
} from './scope.queries.ts';
import { scopedTasks } from './scoped-tasks.queries.ts';
import { countedDays } from './tiles.queries.ts';

const t = names(tasks, 't');

function hasRange(filter: TaskFilter): boolean {
  return filter.from !== undefined || filter.until !== undefined;
}

/** Exact number of tasks of the scope that pass the filter, without a search. */
export function countDashboardTasks(caller: Caller, filter: TaskFilter): Statement<number> {
  const tables = scopeTables(caller, filter);
  if (filter.taskId !== undefined) {
    return number(sql`WITH RECURSIVE ${tables} SELECT count(*) AS total FROM ${namedTask(caller, filter)}`);
  }
  if (hasRange(filter)) {
    const days = countedDays(caller, filter, deadlineRange(filter).spans);
    return number(sql`WITH RECURSIVE ${tables} SELECT coalesce(sum(n), 0) AS total FROM (${days})`);
  }
  return number(sql`WITH RECURSIVE ${tables} SELECT n AS total FROM (${countedTotal(caller, filter)})`);
}

/** How many of them have a deadline in the range, up to `max + 1`, which means more than `max`. */
export function countDeadlinesUpTo(max: number, caller: Caller, filter: TaskFilter): Statement<number> {
  const due = scopedTasks(caller, filter, deadlineRange(filter), sql`${t.id} AS id`);
  return number(sql`
    WITH RECURSIVE ${scopeTables(caller, filter)}
    SELECT count(*) AS total FROM (SELECT 1 FROM (${due}) LIMIT ${max + 1})`);
}

function countedTotal(caller: Caller, filter: TaskFilter): SQL {
  const buckets = bucketSum(bucketsOfStatuses(filter.statuses));
  return scopedSum(caller, filter, buckets);
}

/** Selects the column `id` of one page, in order. To be used within `scopeTables`. */
export function pageIds(caller: Caller, filter: TaskFilter, sort: DashboardSort, range: Range): SQL {
  if (filter.taskId !== undefined)
    return sorted(sql`SELECT ${sortColumns} FROM ${namedTask(caller, filter)}`, sort, range);
  if (hasRange(filter) && sort !== 'due')
    return sorted(scopedTasks(caller, filter, deadlineRange(filter), sortColumns), sort, range);
  if (sort === 'name') return byName(caller, filter, range);
  return merged(caller, filter, sort, range);
}

export const sortColumns = columns({ id: t.id, due: t.due, status: t.status, name_key: t.name_key });
/** What a page of the dashboard is sorted by. */
export type SortRow = Row<typeof sortColumns>;
/** The same of what is sorted. */
const sortedColumns = columns({
  id: tasks.id,
  due: tasks.due,
  status: tasks.status,
  name_key: tasks.name_key,
});

/** @param tasks selects `sortColumns`. */
export function sorted(tasks: SQL, sort: DashboardSort, range: Range) {
  return sortedTasks(tasks, sortedColumns, sort, range);
}

/** Two plans in one statement; the counters decide which of them gets a LIMIT above 0. */
function byName(caller: Caller, filter: TaskFilter, range: Range): SQL {
  // Behind every day, and behind "no deadline" as well.
  const whole = { statuses: filter.statuses, spans: sql`(SELECT '' AS first, '~' AS until)` };
  const limitIf = (condition: SQL) => limitWhere(sql`(SELECT n FROM counted) ${condition}`, range);
  return sql`
    WITH counted (n) AS MATERIALIZED (${countedTotal(caller, filter)})
    SELECT id FROM (
      SELECT id, name_key FROM (${scopedTasks(caller, filter, whole, sql`${t.id} AS id, ${t.name_key} AS name_key`)})
      WHERE ${isAfter(range, sortColumnsOf('name'))}
      ORDER BY ${orderOf('name')} ${limitIf(sql`<= ${NARROW_MAX}`)})
    UNION ALL
    SELECT id FROM (
      SELECT ${t.id} AS id, ${t.name_key} AS name_key FROM ${t} INDEXED BY tasks_by_name
      WHERE ${t.ws} = ${caller.workspace} AND ${t.archived} = 0
      AND ${inScope(filter, t.project, t.assignee)}
        AND ${t.archived_status} IN ${bucketList(filter.statuses)}
      AND ${isAfter(range, sortColumnsOf('name', 't.'))}
      ORDER BY ${orderOf('name', 't.')} ${limitIf(sql`> ${NARROW_MAX}`)})`;
}

/**
 * Ranges may overlap: a task of a seen person can lie in one of the caller's projects too. It then comes twice, which is
 * cheaper than asking each task.
 */
function rangesInScope(caller: Caller, filter: TaskFilter, { indexes }: TaskOrder): TaskRanges[] {
  const ofPeople = (owners: SQL, remaining: SQL): TaskRanges => ({
    owners,
    isOneOwner: false,
    index: indexes.assignee,
    column: 'assignee',
    remaining,
  });
  if (picksPeople(filter)) {
    return [ofPeople(sql`SELECT no FROM picked`, inScope(filter, t.project, t.assignee))];
  }
  if (coversWorkspace(filter)) {
    const owners = sql`SELECT ${caller.workspace}`;
    return [{ owners, isOneOwner: true, index: indexes.workspace, column: 'ws' }];
  }
  const projects: TaskRanges = {
    owners: sql`SELECT id FROM my_projects`,
    isOneOwner: filter.projectId !== undefined,
    index: indexes.project,
    column: 'project',
  };
  if (!seesPeople(filter)) return [projects];
  const seen = sql`SELECT no FROM seen_people`;
  if (isOfEveryProject(filter))
    return [projects, { owners: seen, isOneOwner: false, index: indexes.assignee, column: 'assignee' }];
  return [projects, ofPeople(seen, besideMyProjects(filter, t.project))];
}

function merged(caller: Caller, filter: TaskFilter, sort: Exclude<DashboardSort, 'name'>, range: Range): SQL {
  const order = taskOrders[sort];
  const buckets =
    order.dividedBy === 'archived_status' ? filter.statuses : bucketsOfStatuses(filter.statuses);
  return walkTasks(rangesInScope(caller, filter, order), order, buckets, range, {
    from: filter.from,
    ...(hasRange(filter) && { until: sql`AND ${t.due} < ${filter.until ?? NO_DEADLINE}` }),
  });
}
