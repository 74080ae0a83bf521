import type { Caller } from '../../kernel/access/access.ts';
import type { Range } from '../../kernel/lists/pagination.ts';
import { rows, type Statement } from '../../kernel/sql/database.ts';
import { columns, sql, typed, withRowsOf } from '../../kernel/sql/sql.ts';
import {
  fromMatches,
  type PartProgress,
  type SearchPart,
  tallyParts,
} from '../../search/index/search.queries.ts';
import { type DashboardFilter, matchesFilter } from '../filter/dashboard-filter.queries.ts';
import { buildScopeTables } from '../scope/scope.queries.ts';
import type { DashboardSort } from './dashboard-tasks.schema.ts';
import { type SortRow, selectSorted, sortColumns } from './task-pages.queries.ts';

const totalColumn = columns({ total: typed<number>(sql`count(*) FILTER (WHERE found)`) });

/** Selects ids and sort keys. Refers to the tables of `buildScopeTables`. */
export function selectMatchPage(
  caller: Caller,
  parts: readonly SearchPart[],
  filter: DashboardFilter,
  sort: DashboardSort,
  range: Range,
) {
  const found = fromMatches(caller, parts, matchesFilter(filter));
  return selectSorted(sql`SELECT ${sortColumns} FROM ${found}`, sort, range);
}

export function listMatchPage(
  caller: Caller,
  part: SearchPart,
  filter: DashboardFilter,
  sort: DashboardSort,
  range: Range,
): Statement<SortRow[]> {
  return rows(sql`
    WITH RECURSIVE ${buildScopeTables(caller, filter)} ${withRowsOf(selectMatchPage(caller, [part], filter, sort, range))}`);
}

export function countMatches(
  caller: Caller,
  parts: readonly SearchPart[],
  filter: DashboardFilter,
): Statement<(PartProgress & { total: number })[]> {
  return tallyParts(caller, parts, {
    tables: sql`WITH RECURSIVE ${buildScopeTables(caller, filter)}`,
    conditions: matchesFilter(filter),
    columns: totalColumn,
  });
}
