import type { Caller } from '../../kernel/access/access.ts';
import { isBot } from '../../kernel/access/bot-ids.queries.ts';
import { readRows, type Statement } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  type ColumnNameOf,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import {
  bucketColumns,
  getColumnAt,
  halfMonthColumns,
  memberHalfMonths,
  statusColumns,
  taskCounts,
} from '../../schema/cell/counters.ts';
import { projects } from '../../schema/cell/projects.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { selectCutoffs } from '../../tasks/counters/cutoffs.queries.ts';
import {
  buildHalfMonthColumn,
  buildHalfMonthKey,
  isRowInRange,
  sumRowInRange,
  toHalfMonthColumn,
} from '../../tasks/counters/day-columns.queries.ts';
import { toBucket } from '../../tasks/model/buckets.ts';
import { taskPriorities, taskStatuses } from '../../tasks/model/tasks.schema.ts';
import {
  buildScopeTables,
  hasPeopleFilter,
  isAllowedProject,
  isInIdList,
  type ScopeFilter,
  seesEveryProject,
} from '../scope/scope.queries.ts';

const counts = aliasLeftJoinedTable(taskCounts, 'c');
const halves = aliasTable(memberHalfMonths, 'c');
const m = aliasTable(members, 'm');
const p = aliasTable(projects, 'p');

export interface WorkloadWindow {
  from: string;
  to: string;
  today: string;
}

const toStatusIndex = (name: (typeof taskStatuses)[number]) => taskStatuses.indexOf(name);
const openStatusIndexes = [...taskStatuses.keys()].filter((status) => status !== toStatusIndex('completed'));

function listStatusBuckets(status: number): number[] {
  return [...taskPriorities.keys()].map((priority) => toBucket({ archived: 0, status, priority }));
}

type TaskCountColumns = readonly ColumnNameOf<typeof taskCounts>[];

/** `each` returns a counter column, either unchanged or summed over several rows. */
export function buildLoadColumns(each: (column: SQL) => string) {
  const sum = (columns: TaskCountColumns) =>
    columns.map((column) => `coalesce(${each(counts[column])}, 0)`).join(' + ');
  const countTasksWithStatus = (status: number) =>
    sum(listStatusBuckets(status).map((bucket) => getColumnAt(bucketColumns, bucket)));
  const toTotal = (amount: string) => withType<number>(sql.raw(amount));
  const toStatusTotal = (status: number) => toTotal(countTasksWithStatus(status));
  const toStatusHours = (status: number) => toTotal(sum([getColumnAt(statusColumns.hours, status)]));
  return {
    active: toTotal(openStatusIndexes.map(countTasksWithStatus).join(' + ')),
    past: toTotal(sum(openStatusIndexes.map((status) => getColumnAt(statusColumns.past, status)))),
    past_hours: toTotal(sum(['past_hours'])),
    in_progress: toStatusTotal(toStatusIndex('in_progress')),
    in_progress_hours: toStatusHours(toStatusIndex('in_progress')),
    internal_review: toStatusTotal(toStatusIndex('internal_review')),
    internal_review_hours: toStatusHours(toStatusIndex('internal_review')),
    client_review: toStatusTotal(toStatusIndex('client_review')),
    client_review_hours: toStatusHours(toStatusIndex('client_review')),
  };
}

const workloadColumns = selectColumns({
  user_id: m.user_id,
  name: m.name,
  email: m.email,
  image: m.image,
  ...buildLoadColumns((column) => `sum(${column})`),
});
/** Hours are stored in hundredths. */
export type WorkloadRow = Row<typeof workloadColumns>;

export function isMemberInScope(filter: ScopeFilter): SQL {
  const seen = seesEveryProject(filter) ? sql`true` : isInIdList('seen_list', m.no);
  return hasPeopleFilter(filter) ? sql`${seen} AND ${isInIdList('picked_list', m.no)}` : seen;
}

export function isMemberCounter(
  caller: Caller,
  filter: ScopeFilter,
  { ws, member, project }: Record<'ws' | 'member' | 'project', SQL>,
): SQL {
  const { projectId, projectStatus } = filter;
  const those =
    projectStatus === undefined
      ? sql`= ${projectId ?? 0}`
      : sql`IN (${selectFilteredProjects(caller, filter)})`;
  return sql`${ws} = ${m.ws} AND ${member} = ${m.no} AND ${project} ${those}`;
}

export function selectFilteredProjects(caller: Caller, filter: ScopeFilter): SQL {
  return sql`SELECT ${p.id} FROM ${p} WHERE ${p.ws} = ${caller.workspace} AND ${isAllowedProject(filter)}`;
}

/**
 * Lists people with an active task. If the filter names people, lists all of them. Doesn't sort the people, because
 * sorting would read every row again.
 */
export function listWorkloads(caller: Caller, filter: ScopeFilter): Statement<WorkloadRow[]> {
  const isNamed = filter.assigneeId ? sql`true` : sql`false`;
  return readRows(sql`
    WITH RECURSIVE ${buildScopeTables(caller, filter)}
    SELECT ${workloadColumns}
    FROM ${m} INDEXED BY members_by_workspace LEFT JOIN ${counts} ON ${isMemberCounter(caller, filter, counts)}
    WHERE ${m.ws} = ${caller.workspace} AND ${m.ended_at} IS NULL AND NOT ${isBot(m.user_id)}
      AND ${isMemberInScope(filter)}
    GROUP BY ${m.ws}, ${m.user_id} HAVING active > 0 OR ${isNamed}`);
}

/** Hours are stored in hundredths. */
export interface DueLoadRow {
  user_id: string;
  due: number;
  due_hours: number;
}

export interface WindowLoadRow extends DueLoadRow {
  completed: number;
  completed_hours: number;
}

export type HalfMonthColumns = readonly ColumnNameOf<typeof memberHalfMonths>[];

function buildDueColumns(sumDays: (columns: HalfMonthColumns) => SQL<number>) {
  return {
    user_id: m.user_id,
    due: sumDays(halfMonthColumns.due),
    due_hours: sumDays(halfMonthColumns.due_hours),
  };
}

export function listWindowLoads(
  caller: Caller,
  filter: ScopeFilter,
  { from, to }: WorkloadWindow,
): Statement<WindowLoadRow[]> {
  const span = { first: toHalfMonthColumn(from), last: toHalfMonthColumn(to) };
  const sumDays = (columns: HalfMonthColumns) => {
    const days = columns.map((column) => halves[column]);
    return withType<number>(sql`sum(${sumRowInRange(halves.half, span, days)})`);
  };
  return readRows(sql`
    WITH RECURSIVE ${buildScopeTables(caller, filter)}
    SELECT ${selectColumns({
      ...buildDueColumns(sumDays),
      completed: sumDays(halfMonthColumns.done),
      completed_hours: sumDays(halfMonthColumns.done_hours),
    })}
    FROM ${m} INDEXED BY members_by_workspace
    CROSS JOIN ${halves} ON ${isMemberCounter(caller, filter, halves)} AND ${isRowInRange(halves.half, span)}
    WHERE ${m.ws} = ${caller.workspace} AND ${isMemberInScope(filter)} GROUP BY ${m.ws}, ${m.user_id}`);
}

/**
 * Returns counts to add to `past`. The counts are negative if the cutoff is after today. The LIMIT keeps SQLite from
 * computing the days twice.
 */
export function listDueSinceCutoff(
  caller: Caller,
  filter: ScopeFilter,
  { today }: WorkloadWindow,
): Statement<DueLoadRow[]> {
  const first = sql`min(b.past_cutoff, ${today})`;
  const until = sql`max(b.past_cutoff, ${today})`;
  const sumDays = (columns: HalfMonthColumns) => {
    const between = columns.map((column, index) => {
      const at = sql.raw(String(index + 1));
      return sql`((${halves.half} > s.first_half OR s.first_column <= ${at})
        AND (${halves.half} < s.end_half OR s.end_column > ${at})) * ${halves[column]}`;
    });
    return withType<number>(sql`s.sign * sum(${sql.join(between, sql` + `)})`);
  };
  return readRows(sql`
    WITH RECURSIVE ${buildScopeTables(caller, filter)}
    SELECT ${selectColumns(buildDueColumns(sumDays))}
    FROM (
      SELECT ${buildHalfMonthKey(first)} AS first_half, ${buildHalfMonthColumn(first)} AS first_column,
        ${buildHalfMonthKey(until)} AS end_half, ${buildHalfMonthColumn(until)} AS end_column,
        iif(b.past_cutoff < ${today}, 1, -1) AS sign
      FROM (${selectCutoffs(caller.workspace)}) b WHERE b.past_cutoff <> ${today} LIMIT -1) s
    CROSS JOIN ${m} INDEXED BY members_by_workspace
    CROSS JOIN ${halves} ON ${isMemberCounter(caller, filter, halves)}
      AND ${halves.half} BETWEEN s.first_half AND s.end_half
    WHERE ${m.ws} = ${caller.workspace} AND ${isMemberInScope(filter)}
    GROUP BY ${m.ws}, ${m.user_id}`);
}
