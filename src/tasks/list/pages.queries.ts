import type { Caller } from '../../kernel/access/access.ts';
import type { PageRange } from '../../kernel/lists/pagination.ts';
import { readNumber, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { selectMyTasksTotal, selectWorkspaceTotal } from '../counters/totals.queries.ts';
import {
  buildConditionalLimit,
  NARROW_MATCHES_MAX,
  selectSortedTasks,
} from '../model/task-orders.queries.ts';
import { selectChangedPage } from './changed-pages.queries.ts';
import { selectPageByChange, selectPageByDue } from './date-order-pages.queries.ts';
import { selectTotalByDays } from './due-totals.queries.ts';
import { selectMatches, selectMatchPage } from './matches.queries.ts';
import { selectNewestPage } from './newest-pages.queries.ts';
import {
  hasUncountedFilter,
  isLimitedToMine,
  type ListSort,
  type PageFilter,
} from './page-filter.queries.ts';
import { selectFollowedTasksOutsideMyProjects } from './ranges.queries.ts';
import { selectRequestedCount, selectRequestedPage } from './requested-tasks.queries.ts';
import { needsScan, selectScannedPage } from './scanned-pages.queries.ts';

const t = aliasTable(tasks, 't');

export function countTasks(caller: Caller, filter: PageFilter): Statement<number> {
  return readNumber(selectTotal(caller, filter));
}

export function canCountFromCounters(filter: PageFilter): boolean {
  return !hasUncountedFilter(filter) && !filter.assignees?.orUnassigned && filter.named === undefined;
}

function selectTotal(caller: Caller, filter: PageFilter): SQL {
  if (filter.named) return selectRequestedCount(caller, filter, filter.named);
  if (hasUncountedFilter(filter)) {
    return (
      selectTotalByDays(caller, filter) ??
      sql`SELECT count(*) AS total FROM (${selectMatches(caller, filter)})`
    );
  }
  return isLimitedToMine(caller, filter)
    ? selectMyTasksTotal(caller, filter)
    : selectWorkspaceTotal(caller, filter);
}

const pageSelectors = {
  created: selectNewestPage,
  due: createSelectorWithFollowedTasks('due'),
  updated: createSelectorWithFollowedTasks('updated'),
};

export function selectTaskPage(caller: Caller, filter: PageFilter, sort: ListSort, range: PageRange): SQL {
  const { updatedSince, named } = filter;
  if (named) return selectRequestedPage(caller, filter, named, sort, range);
  if (needsScan(filter)) return selectScannedPage(caller, filter, sort, range);
  if (updatedSince !== undefined && sort === 'created') return selectChangedPage(caller, filter, range);
  // The total already reads every task changed since `updatedSince`, so the page can also read them.
  if (updatedSince !== undefined && sort === 'due') return selectMatchPage(caller, filter, sort, range);
  const walk = pageSelectors[sort](caller, filter, range);
  const isBounded =
    sort === 'created' ? !hasUncountedFilter(filter) : sort === 'due' || updatedSince !== undefined;
  if (isBounded) return walk;
  // Combines two plans, only one of which returns rows. The first sorts all matches. The second reads an index in order
  // and skips tasks that don't match.
  const isNarrow = (comparison: SQL) => sql`(SELECT total FROM counted) ${comparison} ${NARROW_MATCHES_MAX}`;
  return sql`
    WITH counted (total) AS MATERIALIZED (${selectTotal(caller, filter)})
    SELECT id FROM (${selectMatchPage(caller, filter, sort, range, buildConditionalLimit(isNarrow(sql`<=`), range))})
    UNION ALL
    SELECT id FROM (SELECT id FROM (${walk}) ${buildConditionalLimit(isNarrow(sql`>`), { ...range, offset: 0 })})`;
}

const idColumn = selectColumns({ id: tasks.id });

/** Adds the followed tasks in projects that the caller hasn't joined. No index range contains them. */
function createSelectorWithFollowedTasks(sort: 'due' | 'updated') {
  const [walk, column] =
    sort === 'due'
      ? [selectPageByDue, sql`${t.due} AS due`]
      : [selectPageByChange, sql`${t.updated_at} AS updated_at`];
  const what = sql`${t.id} AS id, ${column}`;
  return (caller: Caller, filter: PageFilter, range: PageRange): SQL => {
    if (!isLimitedToMine(caller, filter)) return walk(caller, filter, range);
    const upTo = { ...range, offset: 0, limit: range.offset + range.limit };
    return selectSortedTasks(
      sql`SELECT ${what} FROM (${walk(caller, filter, upTo)}) w CROSS JOIN ${t} ON ${t.id} = w.id
        UNION ALL ${selectFollowedTasksOutsideMyProjects(caller, filter, what)}`,
      idColumn,
      sort,
      range,
    );
  };
}
