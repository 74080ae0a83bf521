import type { Caller } from '../../kernel/access/access.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import {
  buildIndexSource,
  buildOrderBy,
  getSortColumns,
  type TaskRanges,
} from '../model/task-orders.queries.ts';
import type { TaskAlias } from '../visibility/task-visibility.queries.ts';
import {
  buildAssigneeCondition,
  buildRowConditions,
  isInBuckets,
  isLimitedToMine,
  type ListSort,
  type PageFilter,
} from './page-filter.queries.ts';
import {
  buildBucketRanges,
  buildDueRanges,
  getRepeatsMax,
  selectFollowedTasksOutsideMyProjects,
  selectProjects,
} from './ranges.queries.ts';

const t = aliasTable(tasks, 't');

/*
 * Finding a match reads one row if the index contains all needed columns. Otherwise, it reads two: the index entry and
 * the task.
 */

export function buildSortColumns(t: TaskAlias, sort: ListSort): SQL {
  const key = { created: sql``, due: sql`, ${t.due} AS due`, updated: sql`, ${t.updated_at} AS updated_at` };
  return sql`${t.id} AS id${key[sort]}`;
}

export function selectMatches(caller: Caller, filter: PageFilter): SQL {
  return sql.join(buildMatchQueries(caller, filter, 'created'), getUnionOperator(filter));
}

export function selectMatchPage(
  caller: Caller,
  filter: PageFilter,
  sort: ListSort,
  range: PageRange,
  limit = buildLimit(range),
): SQL {
  const isAfterCursor = isAfter(range, getSortColumns(sort, 't.'));
  const parts = buildMatchQueries(caller, filter, sort);
  return sql`${selectSortedIds(parts, sort, isAfterCursor, getUnionOperator(filter))} ${limit}`;
}

/** `UNION` removes duplicates, but costs more than `UNION ALL`. */
const getUnionOperator = (filter: PageFilter) =>
  getRepeatsMax(filter) > 1 ? sql` UNION ` : sql` UNION ALL `;

/**
 * Adds an empty SELECT, so that even a single part becomes a compound SELECT. SQLite sorts a compound SELECT as a whole
 * and stops at the end of the page. A LIMIT in each part would make SQLite read every row twice.
 */
export function selectSortedIds(
  parts: readonly SQL[],
  sort: ListSort,
  where: SQL,
  union = sql` UNION ALL `,
): SQL {
  const found = parts.map((part) => sql`${part} AND ${where}`);
  const compound = [...found, sql`${found[0] ?? sql``} AND false`];
  return sql`SELECT id FROM (${sql.join(compound, union)} ORDER BY ${buildOrderBy(sort)})`;
}

function buildMatchQueries(caller: Caller, filter: PageFilter, sort: ListSort): SQL[] {
  const what = buildSortColumns(t, sort);
  const found = selectMatchesInProjects(caller, filter, what);
  if (isLimitedToMine(caller, filter)) found.push(selectFollowedTasksOutsideMyProjects(caller, filter, what));
  return found;
}

function selectMatchesInProjects(caller: Caller, filter: PageFilter, what: SQL): SQL[] {
  const { due, updatedSince } = filter;
  if (updatedSince !== undefined) return [selectChangedTasks(caller, filter, what)];
  if (due === undefined) return selectTasksByBucket(caller, filter, what);
  const { ranges, statuses } = buildDueRanges(caller, filter);
  const condition = sql`${t.archived_status} = b.value ${buildRowConditions(t, filter)}`;
  return ranges.map((source) => selectTasksInRanges(source, statuses, condition, what));
}

export function selectChangedTasks(caller: Caller, filter: PageFilter, what: SQL): SQL {
  return sql`
    SELECT ${what} FROM (${selectProjects(caller, filter)}) o
    CROSS JOIN ${t} INDEXED BY tasks_by_change ON ${t.project} = o.no ${buildRowConditions(t, filter)}
    WHERE ${isInBuckets(t, filter.buckets)} ${buildAssigneeCondition(t, caller, filter)}`;
}

function selectTasksByBucket(caller: Caller, filter: PageFilter, what: SQL): SQL[] {
  const condition = sql`${t.bucket} = b.value ${buildRowConditions(t, filter)}`;
  return buildBucketRanges(caller, filter).map((ranges) =>
    selectTasksInRanges(ranges, filter.buckets, condition, what),
  );
}

function selectTasksInRanges(
  { owners, column, remaining, ...source }: TaskRanges,
  dividers: readonly number[],
  condition: SQL,
  what: SQL,
): SQL {
  return sql`
    SELECT ${what} FROM (${owners}) o CROSS JOIN json_each(${JSON.stringify(dividers)}) b
    CROSS JOIN ${buildIndexSource(source)} ON ${t[column]} = o.no AND ${condition}
    WHERE ${remaining ?? sql`true`}`;
}
