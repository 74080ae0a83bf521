import type { Caller } from '../../kernel/access/access.ts';
import { isAfter, limitOf, type Range } from '../../kernel/lists/pagination.ts';
import { names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { containsText } from '../../search/index/search.queries.ts';
import { sortColumnsOf } from '../model/task-orders.queries.ts';
import { columnsFor, inOrder } from './found-tasks.queries.ts';
import { fits, type ListSort, type NamedTasks, type PageFilter } from './page-filter.queries.ts';

const t = names(tasks, 't');

/** Selects `what` of the tasks `t` in `ids` that pass the filter. */
function selectNamed(caller: Caller, filter: PageFilter, { ids, search }: NamedTasks, what: SQL): SQL {
  return sql`
    SELECT ${what} FROM json_each(${JSON.stringify(ids)}) i CROSS JOIN ${t} NOT INDEXED ON ${t.id} = i.value
    WHERE ${t.ws} = ${caller.workspace} AND ${fits(t, caller, filter)}
      ${search ? sql`AND ${containsText(t, search)}` : sql``}`;
}

export function countNamed(caller: Caller, filter: PageFilter, named: NamedTasks): SQL {
  return selectNamed(caller, filter, named, sql`count(*) AS total`);
}

/** Selects the column `id` of one page of these tasks. */
export function namedPage(
  caller: Caller,
  filter: PageFilter,
  named: NamedTasks,
  sort: ListSort,
  range: Range,
): SQL {
  const isBehind = isAfter(range, sortColumnsOf(sort, 't.'));
  return sql`${inOrder([selectNamed(caller, filter, named, columnsFor(t, sort))], sort, isBehind)} ${limitOf(range)}`;
}
