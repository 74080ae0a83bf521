import type { Caller } from '../kernel/access.ts';
import { byKind, type MergeOrder, mergePage, type Walk } from '../kernel/merge-page.queries.ts';
import { isAfter, type Range } from '../kernel/pagination.ts';
import { names, type SQL, sql } from '../kernel/sql.ts';
import { type TaskRanges, taskOrders, walkTasks } from '../task-model/task-orders.queries.ts';
import { tasks } from '../task-model/tasks.sql.ts';
import { lastIdWhere } from './last-id.queries.ts';
import { projectsOf, rangesByBucket, rangesByDue } from './ranges.queries.ts';
import { inBuckets, isAssigned, isTimely, type PageFilter } from './task-filter.queries.ts';

const h = names(tasks, 'h');
const t = names(tasks, 't');

/** Selects the column `id` of a page by deadline, without what is followed outside of the caller's projects. */
export function pageByDue(caller: Caller, filter: PageFilter, range: Range): SQL {
  const { due } = filter;
  const { ranges, statuses } = rangesByDue(caller, filter);
  const remaining = sql`${ranges.remaining ?? sql``}${isTimely({ ...filter, due: undefined })}`;
  return walkTasks([{ ...ranges, remaining }], taskOrders.due, statuses, range, {
    ...(due && { from: due.from, until: sql`AND ${t.due} < ${due.until}` }),
  });
}

/** A key is the time of the last change, the id, and a mark on what is passed over. */
const DIGITS = 15;
const keyOf = (time: SQL) =>
  sql`printf('%0${sql.raw(String(DIGITS))}d%0${sql.raw(String(DIGITS))}d', ${time}, ${t.id})`;
const lastChange: MergeOrder = {
  columns: ['owner', 'bucket'],
  isDescending: true,
  end: sql`''`,
  id: sql`CAST(substr(key, ${sql.raw(String(DIGITS + 1))}, ${sql.raw(String(DIGITS))}) AS INTEGER)`,
};
const idOfKey = sql`CAST(substr(m.key, ${sql.raw(String(DIGITS + 1))}, ${sql.raw(String(DIGITS))}) AS INTEGER)`;
const timeOfKey = sql`CAST(substr(m.key, 1, ${sql.raw(String(DIGITS))}) AS INTEGER)`;

/**
 * Selects the column `id` of a page by the last change, without what is followed outside of the caller's projects. It
 * merges the tasks that were changed, by the time of the change, with all tasks by the time of their creation, of which
 * the changed ones are passed over.
 */
export function pageByChange(caller: Caller, filter: PageFilter, range: Range): SQL {
  const created = rangesByBucket(caller, filter);
  const owners = [...created.map((each) => each.owners), projectsOf(caller, filter)];
  const ranges = sql`
    WITH owners (kind, owner) AS MATERIALIZED (${byKind(owners)}),
    ranges (kind, owner, bucket) AS MATERIALIZED (
      SELECT o.kind, o.owner, b.value FROM owners o CROSS JOIN json_each(${JSON.stringify(filter.buckets)}) b
      WHERE o.kind < ${created.length}
      UNION ALL SELECT o.kind, o.owner, NULL FROM owners o WHERE o.kind = ${created.length})
    SELECT kind, owner, bucket FROM ranges`;
  const walks = [
    ...created.map((each) => walkCreated(filter, each, range)),
    walkChanged(caller, filter, range),
  ];
  return mergePage({ ranges, walks, isPassedOver: sql`length(key) > ${2 * DIGITS}` }, lastChange, range);
}

function walkCreated(
  filter: PageFilter,
  { index, column, remaining = sql`true` }: TaskRanges,
  range: Range,
): Walk {
  const { updatedSince } = filter;
  const isRecent =
    updatedSince === undefined
      ? sql``
      : sql`AND ${t.id} > ${lastIdWhere(sql`${h.created_at} < ${updatedSince}`)}`;
  const newest = (below: SQL) => sql`(
    SELECT ${keyOf(t.created_at)} || iif(${t.changed_at} IS NULL, '', '-')
      FROM ${t} INDEXED BY ${sql.raw(index)}
    WHERE ${t[column]} = m.owner AND ${t.bucket} = m.bucket AND ${remaining}
      AND ${below}${isTimely({ ...filter, updatedSince: undefined })} ${isRecent}
    ORDER BY ${t.id} DESC LIMIT 1)`;
  const [time = 0, id = 0] = range.after ?? [];
  const first = range.after
    ? sql`${t.id} <= ${lastIdWhere(sql`(${h.created_at} < ${time} OR (${h.created_at} = ${time} AND ${h.id} < ${id}))`)}`
    : sql`true`;
  return { first: newest(first), next: newest(sql`${t.id} < ${idOfKey}`) };
}

function walkChanged(caller: Caller, filter: PageFilter, range: Range): Walk {
  const { updatedSince } = filter;
  const isRecent = updatedSince === undefined ? sql`` : sql`AND ${t.changed_at} >= ${updatedSince}`;
  const latest = (before: SQL) => sql`(
    SELECT ${keyOf(t.changed_at)} FROM ${t} INDEXED BY tasks_by_change
    WHERE ${t.project} = m.owner AND ${t.changed_at} IS NOT NULL AND ${before} AND ${inBuckets(filter.buckets)}
    ${isAssigned(caller, filter)}${isTimely({ ...filter, updatedSince: undefined })} ${isRecent}
    ORDER BY ${t.changed_at} DESC, ${t.id} DESC LIMIT 1)`;
  const columns = [t.changed_at, t.id].map((column) => ({ column, isDescending: true }));
  return {
    first: latest(isAfter(range, columns)),
    next: latest(sql`
      ${t.changed_at} <= ${timeOfKey} AND (${t.changed_at} < ${timeOfKey} OR ${t.id} < ${idOfKey})`),
  };
}
