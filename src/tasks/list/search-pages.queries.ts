import type { Caller } from '../../kernel/access/access.ts';
import { buildLimit, isAfter, type Range } from '../../kernel/lists/pagination.ts';
import { rows, type Statement } from '../../kernel/sql/database.ts';
import { columns, names, type Row, type SQL, sql, typed } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import {
  fromMatches,
  type PartProgress,
  type SearchPart,
  tallyParts,
} from '../../search/index/search.queries.ts';
import { selectSortedTasks } from '../model/task-orders.queries.ts';
import { type ListSort, matchesPageFilter, type PageFilter } from './page-filter.queries.ts';

const t = names(tasks, 't');

const idColumn = columns({ id: t.id });
const foundColumns = columns({ id: t.id, due: t.due, updated_at: t.updated_at });
const sortColumns = columns({ id: tasks.id, due: tasks.due, updated_at: tasks.updated_at });
export type FoundRow = Row<typeof idColumn> & Partial<Row<typeof sortColumns>>;
const totalColumn = columns({ total: typed<number>(sql`count(*) FILTER (WHERE found)`) });

function selectNewestOfPart(caller: Caller, part: SearchPart, filter: PageFilter, range: Range) {
  const behind = isAfter(range, [{ column: t.id, isDescending: true }]);
  return sql`
    SELECT ${idColumn} FROM ${fromMatches(caller, [part], sql`${matchesPageFilter(t, caller, filter)} AND ${behind}`)}
    ORDER BY c.at DESC ${buildLimit(range)}`;
}

function selectFirstOfParts(
  caller: Caller,
  parts: readonly SearchPart[],
  filter: PageFilter,
  sort: ListSort,
  range: Range,
) {
  const found = sql`SELECT ${foundColumns} FROM ${fromMatches(caller, parts, matchesPageFilter(t, caller, filter))}`;
  return selectSortedTasks(found, sortColumns, sort, range);
}

export function selectSearchPage(
  caller: Caller,
  parts: readonly SearchPart[],
  filter: PageFilter,
  sort: ListSort,
  range: Range,
): SQL {
  if (sort !== 'created') return selectFirstOfParts(caller, parts, filter, sort, range);
  const upTo = { ...range, offset: 0, limit: range.offset + range.limit };
  const found = parts.map((part) => sql`SELECT id FROM (${selectNewestOfPart(caller, part, filter, upTo)})`);
  return sql`SELECT id FROM (${sql.join(found, sql` UNION ALL `)}) ORDER BY id DESC ${buildLimit(range)}`;
}

export function listFirstOfPart(
  caller: Caller,
  part: SearchPart,
  filter: PageFilter,
  sort: ListSort,
  range: Range,
): Statement<FoundRow[]> {
  return rows(
    sort === 'created'
      ? selectNewestOfPart(caller, part, filter, range)
      : selectFirstOfParts(caller, [part], filter, sort, range),
  );
}

type TallyStatement = Statement<(PartProgress & { total: number })[]>;

export function countMatches(
  caller: Caller,
  parts: readonly SearchPart[],
  filter: PageFilter,
): TallyStatement {
  return tallyParts(caller, parts, {
    conditions: matchesPageFilter(t, caller, filter),
    columns: totalColumn,
  });
}

const CANDIDATES_PER_MATCH = 2;

/** If the newest candidates have more than `max` matches, the sum is `max + 1`, and the rest isn't read. */
export function countMatchesUpTo(
  max: number,
  caller: Caller,
  parts: readonly SearchPart[],
  filter: PageFilter,
): TallyStatement {
  const newest = parts.slice(0, 1).map((part) => ({ ...part, limit: CANDIDATES_PER_MATCH * max }));
  const fitting = matchesPageFilter(t, caller, filter);
  const found = fromMatches(caller, newest, fitting);
  return tallyParts(caller, parts, {
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
