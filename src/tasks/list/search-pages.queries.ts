import type { Caller } from '../../kernel/access/access.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import { readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import {
  buildMatchesFromClause,
  countPartMatches,
  type PartProgress,
  type SearchPart,
} from '../../search/index/search.queries.ts';
import { selectSortedTasks } from '../model/task-orders.queries.ts';
import { type ListSort, matchesPageFilter, type PageFilter } from './page-filter.queries.ts';

const t = aliasTable(tasks, 't');

const idColumn = selectColumns({ id: t.id });
const foundColumns = selectColumns({ id: t.id, due: t.due, updated_at: t.updated_at });
const sortColumns = selectColumns({ id: tasks.id, due: tasks.due, updated_at: tasks.updated_at });
export type MatchRow = Row<typeof idColumn> & Partial<Row<typeof sortColumns>>;
const totalColumn = selectColumns({ total: withType<number>(sql`count(*) FILTER (WHERE found)`) });

function selectNewestMatchesInPart(caller: Caller, part: SearchPart, filter: PageFilter, range: PageRange) {
  const isAfterCursor = isAfter(range, [{ column: t.id, isDescending: true }]);
  return sql`
    SELECT ${idColumn} FROM ${buildMatchesFromClause(caller, [part], sql`${matchesPageFilter(t, caller, filter)} AND ${isAfterCursor}`)}
    ORDER BY c.at DESC ${buildLimit(range)}`;
}

function selectFirstMatchesInParts(
  caller: Caller,
  parts: readonly SearchPart[],
  filter: PageFilter,
  sort: ListSort,
  range: PageRange,
) {
  const found = sql`SELECT ${foundColumns} FROM ${buildMatchesFromClause(caller, parts, matchesPageFilter(t, caller, filter))}`;
  return selectSortedTasks(found, sortColumns, sort, range);
}

export function selectSearchPage(
  caller: Caller,
  parts: readonly SearchPart[],
  filter: PageFilter,
  sort: ListSort,
  range: PageRange,
): SQL {
  if (sort !== 'created') return selectFirstMatchesInParts(caller, parts, filter, sort, range);
  const upTo = { ...range, offset: 0, limit: range.offset + range.limit };
  const found = parts.map(
    (part) => sql`SELECT id FROM (${selectNewestMatchesInPart(caller, part, filter, upTo)})`,
  );
  return sql`SELECT id FROM (${sql.join(found, sql` UNION ALL `)}) ORDER BY id DESC ${buildLimit(range)}`;
}

export function listFirstMatchesInPart(
  caller: Caller,
  part: SearchPart,
  filter: PageFilter,
  sort: ListSort,
  range: PageRange,
): Statement<MatchRow[]> {
  return readRows(
    sort === 'created'
      ? selectNewestMatchesInPart(caller, part, filter, range)
      : selectFirstMatchesInParts(caller, [part], filter, sort, range),
  );
}

type MatchCountStatement = Statement<(PartProgress & { total: number })[]>;

export function countMatches(
  caller: Caller,
  parts: readonly SearchPart[],
  filter: PageFilter,
): MatchCountStatement {
  return countPartMatches(caller, parts, {
    conditions: matchesPageFilter(t, caller, filter),
    columns: totalColumn,
  });
}

const CANDIDATES_PER_MATCH = 2;

/** If the newest candidates contain more than `max` matches, returns `max + 1` without reading older candidates. */
export function countMatchesUpTo(
  max: number,
  caller: Caller,
  parts: readonly SearchPart[],
  filter: PageFilter,
): MatchCountStatement {
  const newest = parts.slice(0, 1).map((part) => ({ ...part, limit: CANDIDATES_PER_MATCH * max }));
  const fitting = matchesPageFilter(t, caller, filter);
  const found = buildMatchesFromClause(caller, newest, fitting);
  return countPartMatches(caller, parts, {
    tables: sql`
      WITH probe (n) AS MATERIALIZED (SELECT count(*) FROM (SELECT 1 FROM ${found} LIMIT ${max + 1}))`,
    conditions: fitting,
    columns: selectColumns({
      total: withType<number>(sql`
        iif((SELECT n FROM probe) > ${max}, ${max + 1}, count(*) FILTER (WHERE found))`),
    }),
    isWanted: sql`(SELECT n FROM probe) <= ${max}`,
  });
}
