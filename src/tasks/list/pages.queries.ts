import type { Caller } from '../../kernel/access/access.ts';
import type { Range } from '../../kernel/lists/pagination.ts';
import { number, type Statement } from '../../kernel/sql/database.ts';
import { columns, names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { totalInWorkspace, totalMine } from '../counters/totals.queries.ts';
import { limitWhere, NARROW_MAX, sorted } from '../model/task-orders.queries.ts';
import { changedPage } from './changed-pages.queries.ts';
import { pageByChange, pageByDue } from './date-order-pages.queries.ts';
import { totalByDays } from './due-totals.queries.ts';
import { foundPage, foundTasks } from './found-tasks.queries.ts';
import { countNamed, namedPage } from './named-tasks.queries.ts';
import { newestPage } from './newest-pages.queries.ts';
import { isTimed, type ListSort, needsMine, type PageFilter } from './page-filter.queries.ts';
import { followedElsewhere } from './ranges.queries.ts';

const t = names(tasks, 't');

/** The exact number of tasks that pass the filter, without a search. */
export function countTasks(caller: Caller, filter: PageFilter): Statement<number> {
  return number(total(caller, filter));
}

/** Whether counters alone give the total. Unassigned tasks have no counters of their own. */
export function isTotalCounted(filter: PageFilter): boolean {
  return !isTimed(filter) && !filter.assignees?.orUnassigned && filter.named === undefined;
}

function total(caller: Caller, filter: PageFilter): SQL {
  if (filter.named) return countNamed(caller, filter, filter.named);
  if (isTimed(filter)) {
    return totalByDays(caller, filter) ?? sql`SELECT count(*) AS total FROM (${foundTasks(caller, filter)})`;
  }
  return needsMine(caller, filter) ? totalMine(caller, filter) : totalInWorkspace(caller, filter);
}

const walks = { created: newestPage, due: withFollowed('due'), updated: withFollowed('updated') };

/** Selects the column `id` of one page of tasks. */
export function taskPageIds(caller: Caller, filter: PageFilter, sort: ListSort, range: Range): SQL {
  const { updatedSince, named } = filter;
  if (named) return namedPage(caller, filter, named, sort, range);
  if (updatedSince !== undefined && sort === 'created') return changedPage(caller, filter, range);
  // The total reads everything changed since then, so the page may too.
  if (updatedSince !== undefined && sort === 'due') return foundPage(caller, filter, sort, range);
  const walk = walks[sort](caller, filter, range);
  const isBounded = sort === 'created' ? !isTimed(filter) : sort === 'due' || updatedSince !== undefined;
  if (isBounded) return walk;
  // Two plans in one statement: sort the matches, or walk an index and skip what doesn't match.
  const isNarrow = (comparison: SQL) => sql`(SELECT total FROM counted) ${comparison} ${NARROW_MAX}`;
  return sql`
    WITH counted (total) AS MATERIALIZED (${total(caller, filter)})
    SELECT id FROM (${foundPage(caller, filter, sort, range, limitWhere(isNarrow(sql`<=`), range))})
    UNION ALL
    SELECT id FROM (SELECT id FROM (${walk}) ${limitWhere(isNarrow(sql`>`), { ...range, offset: 0 })})`;
}

const idColumn = columns({ id: tasks.id });

/** Merges the page by ranges with followed tasks outside the caller's projects, which have no ranges. */
function withFollowed(sort: 'due' | 'updated') {
  const [walk, column] =
    sort === 'due' ? [pageByDue, sql`${t.due} AS due`] : [pageByChange, sql`${t.updated_at} AS updated_at`];
  const what = sql`${t.id} AS id, ${column}`;
  return (caller: Caller, filter: PageFilter, range: Range): SQL => {
    if (!needsMine(caller, filter)) return walk(caller, filter, range);
    const upTo = { ...range, offset: 0, limit: range.offset + range.limit };
    return sorted(
      sql`SELECT ${what} FROM (${walk(caller, filter, upTo)}) w CROSS JOIN ${t} ON ${t.id} = w.id
        UNION ALL ${followedElsewhere(caller, filter, what)}`,
      idColumn,
      sort,
      range,
    );
  };
}
