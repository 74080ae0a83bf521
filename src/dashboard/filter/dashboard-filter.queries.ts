import type { Caller } from '../../kernel/access/access.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { NO_DEADLINE, tasks } from '../../schema/cell/tasks.ts';
import { buildBucketList } from '../../tasks/counters/bucket-sums.queries.ts';
import { FIRST_DAY } from '../../tasks/model/due-range.ts';
import { isInScope, type ScopeFilter } from '../scope/scope.queries.ts';
import type { DueRange } from './scoped-tasks.queries.ts';

const t = aliasTable(tasks, 't');

export interface DashboardFilter extends ScopeFilter {
  /** Positions in `taskStatuses`. */
  statuses: readonly number[];
  search?: string | undefined;
  taskId?: number | undefined;
  /** `until` is exclusive. */
  from?: string | undefined;
  until?: string | undefined;
  /** True if the filter restricts tasks. Filters by project don't count. */
  isFiltered: boolean;
}

/** Ignores the search text. */
export function buildFilterCondition(filter: DashboardFilter): SQL {
  const conditions = [
    sql`${t.archived_status} IN ${buildBucketList(filter.statuses)}`,
    isInScope(filter, t.project, t.assignee),
  ];
  if (filter.taskId !== undefined) conditions.push(sql`${t.id} = ${filter.taskId}`);
  if (filter.from !== undefined || filter.until !== undefined) {
    conditions.push(
      sql`${t.due} >= ${filter.from ?? FIRST_DAY} AND ${t.due} < ${filter.until ?? NO_DEADLINE}`,
    );
  }
  return sql.join(conditions, sql` AND `);
}

export function buildFilteredTaskFromClause(caller: Caller, filter: DashboardFilter): SQL {
  return sql`${t} WHERE ${t.ws} = ${caller.workspace} AND ${buildFilterCondition(filter)}`;
}

export function toDueRange({ statuses, from, until }: DashboardFilter): DueRange {
  return { statuses, spans: sql`(SELECT ${from ?? FIRST_DAY} AS first, ${until ?? NO_DEADLINE} AS until)` };
}
