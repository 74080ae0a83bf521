import type { Caller } from '../../kernel/access/access.ts';
import { isAfter, limitOf, type Range } from '../../kernel/lists/pagination.ts';
import { names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { sortColumnsOf } from '../model/task-orders.queries.ts';
import { changedTasks, inOrder } from './found-tasks.queries.ts';
import { lastIdWhere } from './last-id.queries.ts';
import { newestPage } from './newest-pages.queries.ts';
import { needsMine, type PageFilter } from './page-filter.queries.ts';
import { followedElsewhere } from './ranges.queries.ts';

const h = names(tasks, 'h');
const t = names(tasks, 't');

/** The last task created before `updatedSince`. */
const CREATED_BEFORE = sql`(SELECT before.id FROM before)`;

/**
 * Selects `id` of one page of tasks changed since `filter.updatedSince`, newest first. Tasks created since then have all
 * changed, and have the highest ids. Older tasks come after them and are only read if the page isn't full.
 */
export function changedPage(caller: Caller, filter: PageFilter, range: Range): SQL {
  const { updatedSince = 0, ...rest } = filter;
  const upTo = { ...range, offset: 0, limit: range.offset + range.limit };
  const created = newestPage(caller, { ...rest, idsAbove: CREATED_BEFORE }, upTo);
  const id = sql`${t.id} AS id`;
  const older = [changedTasks(caller, filter, id)];
  if (needsMine(caller, filter)) older.push(followedElsewhere(caller, filter, id));
  const isBehind = sql`${t.id} <= ${CREATED_BEFORE} AND ${isAfter(range, sortColumnsOf('created', 't.'))}`;
  return sql`
    WITH before (id) AS MATERIALIZED (SELECT ${lastIdWhere(sql`${h.created_at} < ${updatedSince}`)})
    SELECT id FROM (${created}) UNION ALL SELECT id FROM (${inOrder(older, 'created', isBehind)}) ${limitOf(range)}`;
}
