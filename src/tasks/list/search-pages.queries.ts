import type { Caller } from '../../kernel/access/access.ts';
import { buildLimit, isAfter, type Range } from '../../kernel/lists/pagination.ts';
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

function selectNewestMatchesOfPart(caller: Caller, part: SearchPart, filter: PageFilter, range: Range) {
  const isAfterCursor = isAfter(range, [{ column: t.id, isDescending: true }]);
  return sql`
    SELECT ${idColumn} FROM ${buildMatchesFromClause(caller, [part], sql`${matchesPageFilter(t, caller, filter)} AND ${isAfterCursor}`)}
    ORDER BY c.at DESC ${buildLimit(range)}`;
}

function selectFirstMatchesOfParts(
  caller: Caller,
  parts: readonly SearchPart[],
  filter: PageFilter,
  sort: ListSort,
  range: Range,
) {
  const found = sql`SELECT ${foundColumns} FROM ${buildMatchesFromClause(caller, parts, matchesPageFilter(t, caller, filter))}`;
  return selectSortedTasks(found, sortColumns, sort, range);
}

export function selectSearchPage(
  caller: Caller,
  parts: readonly SearchPart[],
  filter: PageFilter,
  sort: ListSort,
  range: Range,
): SQL {
  if (sort !== 'created') return selectFirstMatchesOfParts(caller, parts, filter, sort, range);
  const upTo = { ...range, offset: 0, limit: range.offset + range.limit };
  const found = parts.map(
    (part) => sql`SELECT id FROM (${selectNewestMatchesOfPart(caller, part, filter, upTo)})`,
  );
  return sql`SELECT id FROM (${sql.join(found, sql` UNION ALL `)}) ORDER BY id DESC ${buildLimit(range)}`;
}

export function listFirstMatchesOfPart(
  caller: Caller,
  part: SearchPart,
  filter: PageFilter,
  sort: ListSort,
  range: Range,
): Statement<MatchRow[]> {
  return readRows(
    sort === 'created'
      ? selectNewestMatchesOfPart(caller, part, filter, range)
      : selectFirstMatchesOfParts(caller, [part], filter, sort, range),
  );
}

type TallyStatement = Statement<(PartProgress & { total: number })[]>;

export function countMatches(
  caller: Caller,
  parts: readonly SearchPart[],
  filter: PageFilter,
): TallyStatement {
  return countPartMatches(caller, parts, {
    conditions: matchesPageFilter(t, caller, filter),
    columns: totalColumn,
  });
}

const CANDIDATES_PER_MATCH = 2;

/** If the newest candidates alone have more than `max` matches, returns `max + 1` and reads no others. */
export function countMatchesUpTo(
  max: number,
  caller: Caller,
  parts: readonly SearchPart[],
  filter: PageFilter,
): TallyStatement {
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
