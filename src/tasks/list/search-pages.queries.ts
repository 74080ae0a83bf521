import type { Caller } from '../../kernel/access/access.ts';
import { isAfter, limitOf, type Range } from '../../kernel/lists/pagination.ts';
import { rows, type Statement } from '../../kernel/sql/database.ts';
import { columns, names, type Row, type SQL, sql, typed } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { type Part, type Progress, searchedTasks, tally } from '../../search/index/search.queries.ts';
import { sorted } from '../model/task-orders.queries.ts';
import { fits, type ListSort, type PageFilter } from './page-filter.queries.ts';

const t = names(tasks, 't');

const idColumn = columns({ id: t.id });
const foundColumns = columns({ id: t.id, due: t.due, updated_at: t.updated_at });
const sortColumns = columns({ id: tasks.id, due: tasks.due, updated_at: tasks.updated_at });
/** A match with the sort columns of the page. */
export type FoundRow = Row<typeof idColumn> & Partial<Row<typeof sortColumns>>;
const totalColumn = columns({ total: typed<number>(sql`count(*) FILTER (WHERE found)`) });

/** Selects the column `id` of the first matches of one part, newest first. */
function newestOfPart(caller: Caller, part: Part, filter: PageFilter, range: Range) {
  const behind = isAfter(range, [{ column: t.id, isDescending: true }]);
  return sql`
    SELECT ${idColumn} FROM ${searchedTasks(caller, [part], sql`${fits(t, caller, filter)} AND ${behind}`)}
    ORDER BY c.at DESC ${limitOf(range)}`;
}

/** Selects the `sortColumns` of the first matches of some parts, sorted for the page. */
function firstOfParts(
  caller: Caller,
  parts: readonly Part[],
  filter: PageFilter,
  sort: ListSort,
  range: Range,
) {
  const found = sql`SELECT ${foundColumns} FROM ${searchedTasks(caller, parts, fits(t, caller, filter))}`;
  return sorted(found, sortColumns, sort, range);
}

/** Selects the column `id` of one page of the matches of all parts. */
export function searchPageIds(
  caller: Caller,
  parts: readonly Part[],
  filter: PageFilter,
  sort: ListSort,
  range: Range,
): SQL {
  if (sort !== 'created') return firstOfParts(caller, parts, filter, sort, range);
  const upTo = { ...range, offset: 0, limit: range.offset + range.limit };
  const found = parts.map((part) => sql`SELECT id FROM (${newestOfPart(caller, part, filter, upTo)})`);
  return sql`SELECT id FROM (${sql.join(found, sql` UNION ALL `)}) ORDER BY id DESC ${limitOf(range)}`;
}

/** The first matches of one part, with their sort columns. */
export function listFirstOfPart(
  caller: Caller,
  part: Part,
  filter: PageFilter,
  sort: ListSort,
  range: Range,
): Statement<FoundRow[]> {
  return rows(
    sort === 'created'
      ? newestOfPart(caller, part, filter, range)
      : firstOfParts(caller, [part], filter, sort, range),
  );
}

type Tallies = Statement<(Progress & { total: number })[]>;

export function countMatches(caller: Caller, parts: readonly Part[], filter: PageFilter): Tallies {
  return tally(caller, parts, { conditions: fits(t, caller, filter), columns: totalColumn });
}

/** Candidates to check for each of `max` matches. */
const PROBED_FOR_EACH = 2;

/**
 * Counts the matches of each part if they are few. If there are more than `max` among the newest, the sum is `max + 1`, and
 * the matches of a common word aren't all read.
 */
export function countMatchesUpTo(
  max: number,
  caller: Caller,
  parts: readonly Part[],
  filter: PageFilter,
): Tallies {
  const newest = parts.slice(0, 1).map((part) => ({ ...part, limit: PROBED_FOR_EACH * max }));
  const fitting = fits(t, caller, filter);
  const found = searchedTasks(caller, newest, fitting);
  return tally(caller, parts, {
    tables: sql`
      WITH probe (n) AS MATERIALIZED (SELECT count(*) FROM (SELECT 1 FROM ${found} LIMIT ${max + 1}))`,
    conditions: fitting,
    columns: columns({
      total: typed<number>(sql`
        iif((SELECT n FROM probe) > ${max}, ${max + 1}, count(*) FILTER (WHERE found))`),
    }),
    isWanted: sql`(SELECT n FROM probe) <= ${max}`,
  });
}
