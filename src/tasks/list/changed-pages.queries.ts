import type { Caller } from '../../kernel/access/access.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { getSortColumns } from '../model/task-orders.queries.ts';
import { selectLastId } from './last-id.queries.ts';
import { selectChangedTasks, selectSortedIds } from './matches.queries.ts';
import { selectNewestPage } from './newest-pages.queries.ts';
import { isLimitedToMine, type PageFilter } from './page-filter.queries.ts';
import { selectFollowedTasksOutsideMyProjects } from './ranges.queries.ts';

const h = aliasTable(tasks, 'h');
const t = aliasTable(tasks, 't');

const lastIdBefore = sql`(SELECT before.id FROM before)`;

/** Tasks created since `updatedSince` have the highest ids. If they fill the page, no older tasks are read. */
export function selectChangedPage(caller: Caller, filter: PageFilter, range: PageRange): SQL {
  const { updatedSince = 0, ...rest } = filter;
  const upTo = { ...range, offset: 0, limit: range.offset + range.limit };
  const created = selectNewestPage(caller, { ...rest, idsAbove: lastIdBefore }, upTo);
  const id = sql`${t.id} AS id`;
  const older = [selectChangedTasks(caller, filter, id)];
  if (isLimitedToMine(caller, filter)) older.push(selectFollowedTasksOutsideMyProjects(caller, filter, id));
  const isBehind = sql`${t.id} <= ${lastIdBefore} AND ${isAfter(range, getSortColumns('created', 't.'))}`;
  return sql`
    WITH before (id) AS MATERIALIZED (SELECT ${selectLastId(sql`${h.created_at} < ${updatedSince}`)})
    SELECT id FROM (${created}) UNION ALL SELECT id FROM (${selectSortedIds(older, 'created', isBehind)}) ${buildLimit(range)}`;
}
