import { type SQL, sql } from 'drizzle-orm';
import { bucketList, memberNumber } from '../counters/counts.queries.ts';
import type { Caller } from '../kernel/access.ts';
import { rows, type Statement } from '../kernel/database.ts';
import { isAfter, limitOf, type Range } from '../kernel/pagination.ts';
import { type Part, type Progress, searchedTasks, tally } from '../search/search.queries.ts';
import { isMine } from '../visibility/task-visibility.queries.ts';
import { needsMine, type PageFilter } from './pages.queries.ts';

function conditionsOf(caller: Caller, filter: PageFilter): SQL {
  const conditions = [sql`t.bucket IN ${bucketList(filter.buckets)}`];
  if (filter.projectId !== undefined) conditions.push(sql`t.project = ${filter.projectId}`);
  if (filter.assigneeId !== undefined) {
    conditions.push(sql`t.assignee = ${memberNumber(caller, filter.assigneeId)}`);
  }
  if (needsMine(caller, filter)) conditions.push(isMine(caller));
  return sql.join(conditions, sql` AND `);
}

/** Selects the column `id` of the first matches of one part, newest first. */
function newestOfPart(caller: Caller, part: Part, filter: PageFilter, range: Range): SQL {
  const behind = isAfter(range, [{ column: sql`t.id`, isDescending: true }]);
  return sql`
    SELECT t.id AS id FROM ${searchedTasks(caller, [part], sql`${conditionsOf(caller, filter)} AND ${behind}`)}
    ORDER BY c.at DESC ${limitOf(range)}`;
}

/** Selects the column `id` of one page of the matches of all parts, newest first. */
export function searchPageIds(caller: Caller, parts: readonly Part[], filter: PageFilter, range: Range): SQL {
  const upTo = { ...range, offset: 0, limit: range.offset + range.limit };
  const found = parts.map((part) => sql`SELECT id FROM (${newestOfPart(caller, part, filter, upTo)})`);
  return sql`SELECT id FROM (${sql.join(found, sql` UNION ALL `)}) ORDER BY id DESC ${limitOf(range)}`;
}

export function listNewestOfPart(
  caller: Caller,
  part: Part,
  filter: PageFilter,
  range: Range,
): Statement<{ id: number }[]> {
  return rows<{ id: number }>(newestOfPart(caller, part, filter, range));
}

/** Counts the matches of each part. */
export function countMatches(
  caller: Caller,
  parts: readonly Part[],
  filter: PageFilter,
): Statement<(Progress & { total: number })[]> {
  return tally<{ total: number }>(caller, parts, {
    conditions: conditionsOf(caller, filter),
    columns: sql`count(*) FILTER (WHERE found) AS total`,
  });
}
