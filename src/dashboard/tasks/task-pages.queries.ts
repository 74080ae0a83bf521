// This file is long because each sort order needs a different statement to read only a few rows.
import type { Caller } from '../../kernel/access/access.ts';
import { TASKS_READ_MAX } from '../../kernel/lists/bounded-count.ts';
import { buildLimit, isAfter, type PageRange, toFirstRange } from '../../kernel/lists/pagination.ts';
import { readNumber, readRow, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { NO_DEADLINE, tasks } from '../../schema/cell/tasks.ts';
import { buildBucketList, sumBuckets } from '../../tasks/counters/bucket-sums.queries.ts';
import { toStatusBuckets } from '../../tasks/model/buckets.ts';
import {
  buildConditionalLimit,
  buildOrderBy,
  findSingleOwnerSource,
  getSortColumns,
  NARROW_MATCHES_MAX,
  selectMergedPage,
  selectSortedTasks,
  type TaskOrder,
  type TaskRanges,
  taskOrders,
} from '../../tasks/model/task-orders.queries.ts';
import {
  buildFilteredTaskFromClause,
  type DashboardFilter,
  toDueRange,
} from '../filter/dashboard-filter.queries.ts';
import { selectDayCounts } from '../filter/day-counts.queries.ts';
import { selectFirstTasks, selectScopedTasks } from '../filter/scoped-tasks.queries.ts';
import {
  allowsEveryProject,
  buildScopeTables,
  coversWorkspace,
  hasPeopleFilter,
  includesPeople,
  isInScope,
  isOutsideMyProjects,
  isVisibleToRole,
} from '../scope/scope.queries.ts';
import { sumInScope } from '../scope/scoped-sums.queries.ts';
import type { DashboardSort } from './dashboard-tasks.schema.ts';

const t = aliasTable(tasks, 't');

function hasDateRange(filter: DashboardFilter): boolean {
  return filter.from !== undefined || filter.until !== undefined;
}

/** Ignores the filter's search text. */
export function countDashboardTasks(caller: Caller, filter: DashboardFilter): Statement<number> {
  const tables = buildScopeTables(caller, filter);
  if (filter.taskId !== undefined) {
    return readNumber(
      sql`WITH RECURSIVE ${tables} SELECT count(*) AS total FROM ${buildFilteredTaskFromClause(caller, filter)}`,
    );
  }
  if (hasDateRange(filter)) {
    const days = selectDayCounts(caller, filter, toDueRange(filter).spans);
    return readNumber(sql`WITH RECURSIVE ${tables} SELECT coalesce(sum(n), 0) AS total FROM (${days})`);
  }
  return readNumber(
    sql`WITH RECURSIVE ${tables} SELECT n AS total FROM (${selectTotalFromCounters(caller, filter)})`,
  );
}

const deadlineCountColumns = selectColumns({
  walked: withType<number>(sql`count(*)`),
  found: withType<number>(sql`count(*) FILTER (WHERE fits)`),
});

export function countDeadlines(
  caller: Caller,
  filter: DashboardFilter,
  most: number,
): Statement<Row<typeof deadlineCountColumns>> {
  const walked = selectFirstTasks(caller, filter, toDueRange(filter), most);
  return readRow(sql`
    WITH RECURSIVE ${buildScopeTables(caller, filter)} SELECT ${deadlineCountColumns} FROM (${walked})`);
}

export function selectIdsByNearestDeadline(caller: Caller, filter: DashboardFilter, range: PageRange): SQL {
  const { projectId } = filter;
  const index = taskOrders.due.indexes.project;
  const sources: TaskRanges[] =
    projectId === undefined
      ? buildTaskRanges(caller, filter, taskOrders.due)
      : [{ owners: sql`SELECT ${projectId}`, isOneOwner: true, index, column: 'project' }];
  return selectNextIdsInScope(caller, filter, sources, range);
}

/** With this many projects or more, the filter probably includes most of the workspace's deadlines. */
const MANY_PROJECTS_THRESHOLD = 20;

/**
 * With few projects, merges the projects' index ranges. With many projects, checks the whole workspace's next deadlines
 * instead.
 */
export function selectIdsByProjectStatus(caller: Caller, filter: DashboardFilter, range: PageRange): SQL {
  const order = taskOrders.due;
  const some = sql`some (n) AS MATERIALIZED (SELECT count(*) FROM (SELECT 1 FROM each_project LIMIT ${MANY_PROJECTS_THRESHOLD}))`;
  const ofProjects = (owners: SQL): TaskRanges => ({
    owners,
    isOneOwner: false,
    index: order.indexes.project,
    column: 'project',
  });
  const few = ofProjects(
    sql`SELECT id FROM some CROSS JOIN each_project WHERE some.n < ${MANY_PROJECTS_THRESHOLD}`,
  );
  const all: TaskRanges = {
    owners: sql`SELECT ${caller.workspace} FROM some WHERE some.n >= ${MANY_PROJECTS_THRESHOLD}`,
    isOneOwner: true,
    index: order.indexes.workspace,
    column: 'ws',
  };
  return sql`
    WITH ${myProjectsTable}, ${some}
    SELECT id FROM (${selectMergedPage([few], order, filter.statuses, range, toDayBounds(filter))})
    UNION ALL SELECT id FROM (${selectNextIdsInScope(caller, filter, [all], range)})`;
}

/**
 * An owner is a workspace, a project or a person. The limit for several owners is lower, because merging their ranges
 * costs more per deadline.
 */
const DEADLINES_CHECKED_MAX = { ofOne: TASKS_READ_MAX.ifFiltered, ofSeveral: 60 };

function selectNextIdsInScope(
  caller: Caller,
  filter: DashboardFilter,
  sources: readonly TaskRanges[],
  range: PageRange,
): SQL {
  const order = taskOrders.due;
  const ranges = sources.map(({ remaining: _asked, ...ranges }) => ranges);
  const most = findSingleOwnerSource(sources) ? DEADLINES_CHECKED_MAX.ofOne : DEADLINES_CHECKED_MAX.ofSeveral;
  const near = selectMergedPage(ranges, order, filter.statuses, toFirstRange(most), {
    ...toDayBounds(filter),
    repeatsMax: 1,
  });
  return sql`
    SELECT DISTINCT w.id AS id FROM (${near}) w
    CROSS JOIN ${t} ON ${t.id} = w.id AND ${t.ws} = ${caller.workspace}
    WHERE ${isInScope(filter, t.project, t.assignee)} ${buildLimit(range)}`;
}

function selectTotalFromCounters(caller: Caller, filter: DashboardFilter): SQL {
  const buckets = sumBuckets(toStatusBuckets(filter.statuses));
  return sumInScope(caller, filter, buckets);
}

export function selectPageIds(
  caller: Caller,
  filter: DashboardFilter,
  sort: DashboardSort,
  range: PageRange,
): SQL {
  if (filter.taskId !== undefined)
    return selectSortedPage(
      sql`SELECT ${sortColumns} FROM ${buildFilteredTaskFromClause(caller, filter)}`,
      sort,
      range,
    );
  if (hasDateRange(filter) && sort !== 'due')
    return selectSortedPage(selectScopedTasks(caller, filter, toDueRange(filter), sortColumns), sort, range);
  if (sort === 'name') return selectIdsByName(caller, filter, range);
  return selectMergedIds(caller, filter, sort, range);
}

export const sortColumns = selectColumns({ id: t.id, due: t.due, status: t.status, name_key: t.name_key });
export type SortRow = Row<typeof sortColumns>;
const sortedColumns = selectColumns({
  id: tasks.id,
  due: tasks.due,
  status: tasks.status,
  name_key: tasks.name_key,
});

export function selectSortedPage(tasks: SQL, sort: DashboardSort, range: PageRange) {
  return selectSortedTasks(tasks, sortedColumns, sort, range);
}

/** Combines two query plans. Only one of them has a LIMIT above 0, depending on the total from the counters. */
function selectIdsByName(caller: Caller, filter: DashboardFilter, range: PageRange): SQL {
  // `~` sorts after every day and after "no deadline".
  const whole = { statuses: filter.statuses, spans: sql`(SELECT '' AS first, '~' AS until)` };
  const limitIf = (condition: SQL) => buildConditionalLimit(sql`(SELECT n FROM counted) ${condition}`, range);
  return sql`
    WITH counted (n) AS MATERIALIZED (${selectTotalFromCounters(caller, filter)})
    SELECT id FROM (
      SELECT id, name_key FROM (${selectScopedTasks(caller, filter, whole, sql`${t.id} AS id, ${t.name_key} AS name_key`)})
      WHERE ${isAfter(range, getSortColumns('name'))}
      ORDER BY ${buildOrderBy('name')} ${limitIf(sql`<= ${NARROW_MATCHES_MAX}`)})
    UNION ALL
    SELECT id FROM (
      SELECT ${t.id} AS id, ${t.name_key} AS name_key FROM ${t} INDEXED BY tasks_by_name
      WHERE ${t.ws} = ${caller.workspace} AND ${t.archived} = 0
      AND ${isInScope(filter, t.project, t.assignee)}
        AND ${t.archived_status} IN ${buildBucketList(filter.statuses)}
      AND ${isAfter(range, getSortColumns('name', 't.'))}
      ORDER BY ${buildOrderBy('name', 't.')} ${limitIf(sql`> ${NARROW_MATCHES_MAX}`)})`;
}

/** Without MATERIALIZED, SQLite would apply the project status filter again each time this table is read. */
const myProjectsTable = sql`each_project (id) AS MATERIALIZED (SELECT id FROM my_projects)`;

/** A task in two ranges is returned twice, which is cheaper than checking every task for duplicates. */
function buildTaskRanges(caller: Caller, filter: DashboardFilter, { indexes }: TaskOrder): TaskRanges[] {
  const buildPeopleRanges = (owners: SQL, remaining: SQL, isOneOwner = false): TaskRanges => ({
    owners,
    isOneOwner,
    index: indexes.assignee,
    column: 'assignee',
    remaining,
  });
  if (hasPeopleFilter(filter)) {
    const isOne = filter.assigneeId?.length === 1;
    return [
      buildPeopleRanges(sql`SELECT no FROM picked`, isVisibleToRole(filter, t.project, t.assignee), isOne),
    ];
  }
  if (coversWorkspace(filter)) {
    const owners = sql`SELECT ${caller.workspace}`;
    return [{ owners, isOneOwner: true, index: indexes.workspace, column: 'ws' }];
  }
  const projects: TaskRanges = {
    owners:
      filter.projectStatus === undefined
        ? sql`SELECT id FROM my_projects`
        : sql`WITH ${myProjectsTable} SELECT id FROM each_project`,
    isOneOwner: filter.projectId !== undefined,
    index: indexes.project,
    column: 'project',
  };
  if (!includesPeople(filter)) return [projects];
  const seen = sql`SELECT no FROM seen_people`;
  if (allowsEveryProject(filter))
    return [projects, { owners: seen, isOneOwner: false, index: indexes.assignee, column: 'assignee' }];
  return [projects, buildPeopleRanges(seen, isOutsideMyProjects(filter, t.project))];
}

function selectMergedIds(
  caller: Caller,
  filter: DashboardFilter,
  sort: Exclude<DashboardSort, 'name'>,
  range: PageRange,
): SQL {
  const order = taskOrders[sort];
  const buckets = order.dividedBy === 'archived_status' ? filter.statuses : toStatusBuckets(filter.statuses);
  return selectMergedPage(buildTaskRanges(caller, filter, order), order, buckets, range, toDayBounds(filter));
}

function toDayBounds(filter: DashboardFilter) {
  return {
    from: filter.from,
    ...(hasDateRange(filter) && { until: sql`AND ${t.due} < ${filter.until ?? NO_DEADLINE}` }),
  };
}
