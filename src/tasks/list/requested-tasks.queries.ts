import type { Caller } from '../../kernel/access/access.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import { buildInList } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { taskContainsText } from '../../search/index/search.queries.ts';
import { getSortColumns } from '../model/task-orders.queries.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';
import { buildSortColumns, selectSortedIds } from './matches.queries.ts';
import {
  type ListSort,
  matchesPageFilter,
  type PageFilter,
  type RequestedTasks,
} from './page-filter.queries.ts';

const pt = aliasTable(tasks, 'pt');
const t = aliasTable(tasks, 't');

function selectRequestedTasks(
  caller: Caller,
  filter: PageFilter,
  { ids, parent, search }: RequestedTasks,
  what: SQL,
): SQL {
  const source =
    parent === undefined
      ? sql`json_each(${JSON.stringify(ids)}) i CROSS JOIN ${t} NOT INDEXED ON ${t.id} = i.value`
      : sql`${pt} CROSS JOIN ${t} INDEXED BY tasks_by_parent ON ${t.parent} = ${pt.id}
          AND ${pt.id} = ${parent} AND ${isTaskVisible(pt, caller)}
          ${ids === undefined ? sql`` : sql`AND ${t.id} IN ${buildInList(ids)}`}`;
  return sql`
    SELECT ${what} FROM ${source}
    WHERE ${t.ws} = ${caller.workspace} AND ${matchesPageFilter(t, caller, filter)}
      ${search ? sql`AND ${taskContainsText(t, search)}` : sql``}`;
}

export function selectRequestedCount(caller: Caller, filter: PageFilter, named: RequestedTasks): SQL {
  return selectRequestedTasks(caller, filter, named, sql`count(*) AS total`);
}

export function selectRequestedPage(
  caller: Caller,
  filter: PageFilter,
  named: RequestedTasks,
  sort: ListSort,
  range: PageRange,
): SQL {
  const isBehind = isAfter(range, getSortColumns(sort, 't.'));
  return sql`${selectSortedIds([selectRequestedTasks(caller, filter, named, buildSortColumns(t, sort))], sort, isBehind)} ${buildLimit(range)}`;
}
