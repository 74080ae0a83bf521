import type { Caller } from '../../kernel/access/access.ts';
import { type MergeOrder, mergePage, pageOfFew } from '../../kernel/lists/merge-page.queries.ts';
import { isAfter, type Range } from '../../kernel/lists/pagination.ts';
import { names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { orderOf, sortColumnsOf, taskOrders, walkTasks } from '../model/task-orders.queries.ts';
import { inBuckets, isAssigned, isTimely, type PageFilter } from './page-filter.queries.ts';
import { projectsOf, rangesByDue } from './ranges.queries.ts';

const t = names(tasks, 't');

/** Selects the column `id` of a page by deadline, without followed tasks outside the caller's projects. */
export function pageByDue(caller: Caller, filter: PageFilter, range: Range): SQL {
  const { due } = filter;
  const { ranges, statuses } = rangesByDue(caller, filter);
  const remaining = sql`${ranges.remaining ?? sql``}${isTimely(t, { ...filter, due: undefined })}`;
  return walkTasks([{ ...ranges, remaining }], taskOrders.due, statuses, range, {
    ...(due && { from: due.from, until: sql`AND ${t.due} < ${due.until}` }),
  });
}

/** A key consists of the time of the last change and the id. */
const DIGITS = 15;
const digits = sql.raw(String(DIGITS));
const timeOfKey = sql`CAST(substr(m.key, 1, ${digits}) AS INTEGER)`;
const idIn = (key: string) => sql`CAST(substr(${sql.raw(key)}, ${sql.raw(String(DIGITS + 1))}) AS INTEGER)`;
const lastChange: MergeOrder = { columns: ['owner'], isDescending: true, end: sql`''`, id: idIn('key') };

/** Selects the column `id` of a page by last change, without followed tasks outside the caller's projects. */
export function pageByChange(caller: Caller, filter: PageFilter, range: Range): SQL {
  const order = orderOf('updated', 't.');
  const changes = (project: SQL, behind: SQL) => sql`
    ${t} INDEXED BY tasks_by_change WHERE ${t.project} = ${project} AND ${behind}
    AND ${inBuckets(t, filter.buckets)} ${isAssigned(t, caller, filter)}${isTimely(t, filter)}`;
  const behindCursor = isAfter(range, sortColumnsOf('updated', 't.'));
  const projects = projectsOf(caller, filter);
  if (filter.projectId !== undefined) {
    const ofProject = sql`SELECT ${t.id}, ${t.updated_at} FROM ${changes(sql`(${projects})`, behindCursor)}`;
    return pageOfFew([ofProject], orderOf('updated'), range);
  }
  const latest = (behind: SQL) => sql`(
    SELECT printf('%0${digits}d%0${digits}d', ${t.updated_at}, ${t.id})
    FROM ${changes(sql`m.owner`, behind)} ORDER BY ${order} LIMIT 1)`;
  const behindKey = sql`
    ${t.updated_at} <= ${timeOfKey} AND (${t.updated_at} < ${timeOfKey} OR ${t.id} < ${idIn('m.key')})`;
  const ranges = sql`SELECT 0 AS kind, o.no AS owner FROM (${projects}) o`;
  const walk = { first: latest(behindCursor), next: latest(behindKey) };
  return mergePage({ ranges, walks: [walk] }, lastChange, range);
}
