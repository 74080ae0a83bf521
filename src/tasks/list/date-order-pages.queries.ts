import type { Caller } from '../../kernel/access/access.ts';
import { type MergeOrder, mergePage, mergePageAsUnion } from '../../kernel/lists/merge-page.queries.ts';
import { isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { buildOrderBy, getSortColumns, selectMergedPage, taskOrders } from '../model/task-orders.queries.ts';
import {
  buildAssigneeCondition,
  buildRowConditions,
  isInBuckets,
  type PageFilter,
} from './page-filter.queries.ts';
import { buildDueRanges, getRepeatsMax, selectProjects } from './ranges.queries.ts';

const t = aliasTable(tasks, 't');

/** If the list is limited to the caller's tasks, omits followed tasks in projects that the caller hasn't joined. */
export function selectPageByDue(caller: Caller, filter: PageFilter, range: PageRange): SQL {
  const { due } = filter;
  const { ranges, statuses } = buildDueRanges(caller, filter);
  const conditions = buildRowConditions(t, { ...filter, due: undefined });
  const sources = ranges.map((source) => ({
    ...source,
    remaining: sql`${source.remaining ?? sql``}${conditions}`,
  }));
  return selectMergedPage(sources, taskOrders.due, statuses, range, {
    repeatsMax: getRepeatsMax(filter),
    ...(due && { from: due.from, until: sql`AND ${t.due} < ${due.until}` }),
  });
}

/** A sort key is the time of the task's last change, followed by the task's id. Both are padded to this many digits. */
const KEY_PART_DIGITS = 15;
const keyDigits = sql.raw(String(KEY_PART_DIGITS));
const keyTime = sql`CAST(substr(m.key, 1, ${keyDigits}) AS INTEGER)`;
const selectIdFromKey = (key: string) =>
  sql`CAST(substr(${sql.raw(key)}, ${sql.raw(String(KEY_PART_DIGITS + 1))}) AS INTEGER)`;
const lastChangeOrder: MergeOrder = {
  columns: ['owner'],
  isDescending: true,
  end: sql`''`,
  id: selectIdFromKey('key'),
};

export function selectPageByChange(caller: Caller, filter: PageFilter, range: PageRange): SQL {
  const order = buildOrderBy('updated', 't.');
  const buildChangesFromClause = (project: SQL, isAfterKey: SQL) => sql`
    ${t} INDEXED BY tasks_by_change WHERE ${t.project} = ${project} AND ${isAfterKey}
    AND ${isInBuckets(t, filter.buckets)} ${buildAssigneeCondition(t, caller, filter)}${buildRowConditions(t, filter)}`;
  const afterCursor = isAfter(range, getSortColumns('updated', 't.'));
  const projects = selectProjects(caller, filter);
  if (filter.projectIds?.length === 1) {
    const ofProject = sql`SELECT ${t.id}, ${t.updated_at} FROM ${buildChangesFromClause(sql`(${projects})`, afterCursor)}`;
    return mergePageAsUnion([ofProject], buildOrderBy('updated'), range);
  }
  const selectLatest = (isAfterKey: SQL) => sql`(
    SELECT printf('%0${keyDigits}d%0${keyDigits}d', ${t.updated_at}, ${t.id})
    FROM ${buildChangesFromClause(sql`m.owner`, isAfterKey)} ORDER BY ${order} LIMIT 1)`;
  const afterKey = sql`
    ${t.updated_at} <= ${keyTime} AND (${t.updated_at} < ${keyTime} OR ${t.id} < ${selectIdFromKey('m.key')})`;
  const ranges = sql`SELECT 0 AS kind, o.no AS owner FROM (${projects}) o`;
  const reader = { first: selectLatest(afterCursor), next: selectLatest(afterKey) };
  return mergePage({ ranges, readers: [reader] }, lastChangeOrder, range);
}
