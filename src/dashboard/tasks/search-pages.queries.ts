import type { Caller } from '../../kernel/access/access.ts';
import type { PageRange } from '../../kernel/lists/pagination.ts';
import { readRows, type Statement } from '../../kernel/sql/database.ts';
import { selectColumns, sql, withRowType, withType } from '../../kernel/sql/sql.ts';
import {
  buildMatchesFromClause,
  countPartMatches,
  type PartProgress,
  type SearchPart,
} from '../../search/index/search.queries.ts';
import { buildFilterCondition, type DashboardFilter } from '../filter/dashboard-filter.queries.ts';
import { buildScopeTables } from '../scope/scope.queries.ts';
import type { DashboardSort } from './dashboard-tasks.schema.ts';
import { type SortRow, selectSortedPage, sortColumns } from './task-pages.queries.ts';

const totalColumn = selectColumns({ total: withType<number>(sql`count(*) FILTER (WHERE found)`) });

export function selectMatchPage(
  caller: Caller,
  parts: readonly SearchPart[],
  filter: DashboardFilter,
  sort: DashboardSort,
  range: PageRange,
) {
  const found = buildMatchesFromClause(caller, parts, buildFilterCondition(filter));
  return selectSortedPage(sql`SELECT ${sortColumns} FROM ${found}`, sort, range);
}

export function listMatchPage(
  caller: Caller,
  part: SearchPart,
  filter: DashboardFilter,
  sort: DashboardSort,
  range: PageRange,
): Statement<SortRow[]> {
  return readRows(sql`
    WITH RECURSIVE ${buildScopeTables(caller, filter)} ${withRowType(selectMatchPage(caller, [part], filter, sort, range))}`);
}

export function countMatches(
  caller: Caller,
  parts: readonly SearchPart[],
  filter: DashboardFilter,
): Statement<(PartProgress & { total: number })[]> {
  return countPartMatches(caller, parts, {
    tables: sql`WITH RECURSIVE ${buildScopeTables(caller, filter)}`,
    conditions: buildFilterCondition(filter),
    columns: totalColumn,
  });
}
