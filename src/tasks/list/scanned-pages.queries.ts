import type { Caller } from '../../kernel/access/access.ts';
import { isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import { readRow, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { getSortColumns, selectSortedTasks } from '../model/task-orders.queries.ts';
import { type FieldFilter, selectProjectsWithFields } from './field-conditions.queries.ts';
import {
  buildAssigneeCondition,
  buildCreationCondition,
  buildRowConditions,
  isInBuckets,
  isLimitedToMine,
  type ListSort,
  type PageFilter,
} from './page-filter.queries.ts';
import { selectFollowedTasksOutsideMyProjects, selectProjects } from './ranges.queries.ts';

/*
 * No counter or sorted index covers tags, custom fields, creation dates or blockers. Pages with these filters check
 * each task in a suitable index, for example all tasks with tags.
 */

/** The maximum number of tasks to scan. A scan reads one row per task for the total, and sometimes one for the page. */
const SCANNED_TASKS_MAX = 10_000;
/**
 * The limit for filters by custom field is lower, because such a scan reads four rows per task: the index entry and the
 * task, each for the total and for the page.
 */
const SCANNED_TASKS_WITH_VALUES_MAX = 5_000;

const t = aliasTable(tasks, 't');

export function needsScan({ tags, created, fields, named, blocked }: PageFilter): boolean {
  if (named !== undefined) return false;
  return blocked?.is === true || [tags, created, fields].some((each) => each !== undefined);
}

const countColumns = selectColumns({
  total: withType<number>(sql`count(*) FILTER (WHERE matches)`),
  scanned: withType<number>(sql`count(*)`),
});

/** `total` is too low if `scanned` exceeds the maximum number of tasks to scan. */
export function countScannedTasks(caller: Caller, filter: PageFilter): Statement<Row<typeof countColumns>> {
  return readRow(sql`
    SELECT ${countColumns} FROM (SELECT (${matchesFilter(caller, filter)}) AS matches FROM (${selectScannedTasks(caller, filter)}) t)`);
}

const idColumn = selectColumns({ id: tasks.id });

export function selectScannedPage(caller: Caller, filter: PageFilter, sort: ListSort, range: PageRange): SQL {
  const found = sql`
    SELECT ${t.id}, ${t.due}, ${t.updated_at} FROM (${selectScannedTasks(caller, filter)}) t
    WHERE ${matchesFilter(caller, filter)} AND ${isAfter(range, getSortColumns(sort, 't.'))}`;
  return selectSortedTasks(found, idColumn, sort, range);
}

function matchesFilter(caller: Caller, filter: PageFilter): SQL {
  return sql`${isInBuckets(t, filter.buckets)} ${buildAssigneeCondition(t, caller, filter)}${buildRowConditions(t, filter)}`;
}

function selectScannedTasks(caller: Caller, filter: PageFilter): SQL {
  const what = sql`${t.id}, ${t.project}, ${t.bucket}, ${t.assignee}, ${t.due}, ${t.updated_at}, ${t.label_keys},
    ${t.parent}, ${t.open_blockers}, ${t.field_values}`;
  const parts = [selectCandidates(caller, filter, what)];
  if (isLimitedToMine(caller, filter)) parts.push(selectFollowedTasksOutsideMyProjects(caller, filter, what));
  return sql`SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) LIMIT ${getScannedTasksMax(filter) + 1}`;
}

export function getScannedTasksMax({ fields, blocked }: PageFilter): number {
  return fields && !blocked?.is ? SCANNED_TASKS_WITH_VALUES_MAX : SCANNED_TASKS_MAX;
}

function isWorkspaceWide(caller: Caller, filter: PageFilter): boolean {
  return !isLimitedToMine(caller, filter) && filter.projectIds === undefined;
}

function selectCandidates(caller: Caller, filter: PageFilter, what: SQL): SQL {
  if (filter.blocked?.is) return selectTasksFromIndex(caller, filter, what, blockedTasks);
  if (filter.fields) return selectTasksWithFieldValues(caller, filter, filter.fields, what);
  return filter.created
    ? selectTasksByCreation(caller, filter, what)
    : selectTasksFromIndex(caller, filter, what, taggedTasks);
}

interface PartialIndex {
  index: SQL;
  condition: SQL;
}

const blockedTasks: PartialIndex = { index: sql`tasks_blocked`, condition: sql`${t.open_blockers} > 0` };
const taggedTasks: PartialIndex = { index: sql`tasks_tagged`, condition: sql`${t.label_keys} <> '[]'` };

function selectTasksFromIndex(
  caller: Caller,
  filter: PageFilter,
  what: SQL,
  { index, condition }: PartialIndex,
) {
  const isIndexed = sql`${t.ws} = ${caller.workspace} AND ${condition}`;
  if (isWorkspaceWide(caller, filter))
    return sql`SELECT ${what} FROM ${t} INDEXED BY ${index} WHERE ${isIndexed}`;
  return sql`
    SELECT ${what} FROM (${selectProjects(caller, filter)}) o
    CROSS JOIN ${t} INDEXED BY ${index} ON ${t.project} = o.no AND ${isIndexed}`;
}

function selectTasksWithFieldValues(
  caller: Caller,
  filter: PageFilter,
  fields: readonly FieldFilter[],
  what: SQL,
): SQL {
  const used = selectProjectsWithFields(caller, fields);
  const owners = isWorkspaceWide(caller, filter)
    ? used
    : sql`SELECT o.no FROM (${used}) o WHERE o.no IN (${selectProjects(caller, filter)})`;
  return sql`
    SELECT ${what} FROM (${owners}) o CROSS JOIN json_each(${JSON.stringify(filter.buckets)}) b
    CROSS JOIN ${t} INDEXED BY tasks_with_field_values ON ${t.project} = o.no AND ${t.bucket} = b.value
      AND ${t.field_values} IS NOT NULL ${buildCreationCondition(t, filter)}`;
}

function selectTasksByCreation(caller: Caller, filter: PageFilter, what: SQL): SQL {
  const [owners, index, owner] = isWorkspaceWide(caller, filter)
    ? [sql`SELECT ${caller.workspace} AS no`, sql`tasks_by_workspace`, t.ws]
    : [selectProjects(caller, filter), sql`tasks_by_project`, t.project];
  return sql`
    SELECT ${what} FROM (${owners}) o CROSS JOIN json_each(${JSON.stringify(filter.buckets)}) b
    CROSS JOIN ${t} INDEXED BY ${index} ON ${owner} = o.no AND ${t.bucket} = b.value
      ${buildCreationCondition(t, filter)}`;
}
