import type { Caller } from '../kernel/access.ts';
import { isAfter, limitOf, type Range } from '../kernel/pagination.ts';
import { names, type SQL, sql } from '../kernel/sql.ts';
import { orderOf, sortColumnsOf, type TaskRanges } from '../task-model/task-orders.queries.ts';
import { tasks } from '../task-model/tasks.sql.ts';
import { lastIdWhere } from './last-id.queries.ts';
import { followedElsewhere, projectsOf, rangesByBucket, rangesByDue } from './ranges.queries.ts';
import {
  inBuckets,
  isAssigned,
  isTimely,
  type ListSort,
  needsMine,
  type PageFilter,
} from './task-filter.queries.ts';

const h = names(tasks, 'h');
const t = names(tasks, 't');

/** The last task that was created before some time, where `createdBefore` is one of the tables. */
export const CREATED_BEFORE = sql`(SELECT before.id FROM before)`;

/** The table of `CREATED_BEFORE`. @param ms time of creation. */
export function createdBefore(ms: number): SQL {
  return sql`before (id) AS MATERIALIZED (SELECT ${lastIdWhere(sql`${h.created_at} < ${ms}`)})`;
}

/*
 * Everything that a filter finds, by the index that finds the least. What an index answers by itself costs a row; where
 * the task has to be opened, two.
 */

/** The columns that a page is sorted by; the index of changes has them all. */
const columnsOf: Record<ListSort, (updatedAt: SQL) => SQL> = {
  created: () => sql`${t.id} AS id`,
  due: () => sql`${t.id} AS id, ${t.due} AS due`,
  updated: (updatedAt) => sql`${t.id} AS id, ${updatedAt} AS updated_at`,
};

/** Selects `id` and what the order needs. @param where condition on each task `t`. */
export function foundTasks(caller: Caller, filter: PageFilter, sort: ListSort, where: SQL = sql`true`): SQL {
  const what = columnsOf[sort](t.updated_at);
  const found = foundInProjects(caller, filter, what, columnsOf[sort](t.changed_at));
  if (needsMine(caller, filter)) found.push(followedElsewhere(caller, filter, what));
  const tables = filter.updatedSince === undefined ? sql`` : sql`WITH ${createdBefore(filter.updatedSince)}`;
  const parts = found.map((part) => sql`${part} AND ${where}`);
  return sql`${tables} ${sql.join(parts, sql` UNION ALL `)}`;
}

/** Selects `id` of one page of what is found. Sorting the parts themselves spares a row each. */
export function foundPage(
  caller: Caller,
  filter: PageFilter,
  sort: ListSort,
  range: Range,
  limit = limitOf(range),
): SQL {
  const behind = isAfter(range, sortColumnsOf(sort, 't.'));
  return sql`SELECT id FROM (${foundTasks(caller, filter, sort, behind)} ORDER BY ${orderOf(sort)} ${limit})`;
}

function foundInProjects(caller: Caller, filter: PageFilter, what: SQL, ofChanged: SQL): SQL[] {
  const { due, updatedSince } = filter;
  if (updatedSince !== undefined) {
    // Every task that was created since then has changed since then, whatever else became of it.
    const isOlder = sql`${t.id} <= ${CREATED_BEFORE}`;
    return [
      changedTasks(caller, filter, sql`${t.changed_at} >= ${updatedSince} AND ${isOlder}`, ofChanged),
      ...tasksByBucket(caller, filter, sql`${t.id} > ${CREATED_BEFORE}`, what),
    ];
  }
  if (due === undefined) return tasksByBucket(caller, filter, sql`true`, what);
  const { ranges, statuses } = rangesByDue(caller, filter);
  return [tasksIn(ranges, statuses, sql`${t.archived_status} = b.value ${isTimely(filter)}`, what)];
}

/** Selects `what` of the tasks `t` in the caller's projects that somebody changed after they were created. */
export function changedTasks(caller: Caller, filter: PageFilter, when: SQL, what: SQL): SQL {
  return sql`
    SELECT ${what} FROM (${projectsOf(caller, filter)}) o
    CROSS JOIN ${t} INDEXED BY tasks_by_change ON ${t.project} = o.no AND ${when}
    WHERE ${inBuckets(filter.buckets)} ${isAssigned(caller, filter)} ${isTimely({ ...filter, updatedSince: undefined })}`;
}

function tasksByBucket(caller: Caller, filter: PageFilter, which: SQL, what: SQL): SQL[] {
  const condition = sql`${t.bucket} = b.value AND ${which} ${isTimely({ ...filter, updatedSince: undefined })}`;
  return rangesByBucket(caller, filter).map((ranges) => tasksIn(ranges, filter.buckets, condition, what));
}

function tasksIn(
  { owners, index, column, remaining }: TaskRanges,
  dividers: readonly number[],
  condition: SQL,
  what: SQL,
): SQL {
  return sql`
    SELECT ${what} FROM (${owners}) o CROSS JOIN json_each(${JSON.stringify(dividers)}) b
    CROSS JOIN ${t} INDEXED BY ${sql.raw(index)} ON ${t[column]} = o.no AND ${condition}
    WHERE ${remaining ?? sql`true`}`;
}
