import type { Caller } from '../../kernel/access/access.ts';
import type { Range } from '../../kernel/lists/pagination.ts';
import { rows, type Statement } from '../../kernel/sql/database.ts';
import { columns, rowsOf, sql, typed } from '../../kernel/sql/sql.ts';
import { type Part, type Progress, searchedTasks, tally } from '../../search/index/search.queries.ts';
import { type DashboardFilter, passesFilter } from '../filter/dashboard-filter.queries.ts';
import { scopeTables } from '../scope/scope.queries.ts';
import type { DashboardSort } from './dashboard-tasks.schema.ts';
import { type SortRow, sortColumns, sorted } from './task-pages.queries.ts';

const totalColumn = columns({ total: typed<number>(sql`count(*) FILTER (WHERE found)`) });

/** Selects `id` and the sort key for one page of the matches, for use within `scopeTables`. */
export function foundPage(
  caller: Caller,
  parts: readonly Part[],
  filter: DashboardFilter,
  sort: DashboardSort,
  range: Range,
) {
  const found = searchedTasks(caller, parts, passesFilter(filter));
  return sorted(sql`SELECT ${sortColumns} FROM ${found}`, sort, range);
}

export function listFoundPage(
  caller: Caller,
  part: Part,
  filter: DashboardFilter,
  sort: DashboardSort,
  range: Range,
): Statement<SortRow[]> {
  return rows(sql`
    WITH RECURSIVE ${scopeTables(caller, filter)} ${rowsOf(foundPage(caller, [part], filter, sort, range))}`);
}

export function countFound(
  caller: Caller,
  parts: readonly Part[],
  filter: DashboardFilter,
): Statement<(Progress & { total: number })[]> {
  return tally(caller, parts, {
    tables: sql`WITH RECURSIVE ${scopeTables(caller, filter)}`,
    conditions: passesFilter(filter),
    columns: totalColumn,
  });
}
