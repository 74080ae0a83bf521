import type { Caller } from '../../kernel/access/access.ts';
import { readNumber, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { sumBuckets } from '../../tasks/counters/bucket-sums.queries.ts';
import { toStatusBuckets } from '../../tasks/model/buckets.ts';
import {
  buildFilteredTaskFromClause,
  type DashboardFilter,
  toDueRange,
} from '../filter/dashboard-filter.queries.ts';
import { buildStatusRanges, type DueRange, selectScopedTasks } from '../filter/scoped-tasks.queries.ts';
import { buildScopeTables, hasPeopleFilter } from '../scope/scope.queries.ts';
import { selectProjectsWithTasks } from '../scope/scoped-sums.queries.ts';

const t = aliasTable(tasks, 't');

/** If the filter restricts tasks, counts only projects with a matching task. Ignores the search text. */
export function countProjects(caller: Caller, filter: DashboardFilter): Statement<number> {
  return readNumber(sql`
    WITH RECURSIVE ${buildScopeTables(caller, filter)}
    SELECT count(*) AS total FROM (${selectCountedProjects(caller, filter)})`);
}

export function selectCountedProjects(caller: Caller, filter: DashboardFilter): SQL {
  if (!filter.isFiltered) return sql`SELECT id FROM my_projects`;
  if (filter.taskId !== undefined)
    return selectMyProjectsAmong(
      sql`SELECT ${t.project} FROM ${buildFilteredTaskFromClause(caller, filter)}`,
    );
  if (filter.from !== undefined || filter.until !== undefined) {
    const range = toDueRange(filter);
    return hasPeopleFilter(filter)
      ? selectMyProjectsAmong(selectScopedTasks(caller, filter, range, sql`${t.project} AS project`))
      : selectProjectsWithDueTasks(range);
  }
  return selectProjectsWithTasks(caller, filter, sumBuckets(toStatusBuckets(filter.statuses)));
}

function selectMyProjectsAmong(projects: SQL): SQL {
  return sql`SELECT mp.id AS id FROM my_projects mp WHERE mp.id IN (${projects})`;
}

function selectProjectsWithDueTasks(range: DueRange): SQL {
  const { ranges, due } = buildStatusRanges(range);
  return sql`
    SELECT hp.id AS id FROM my_projects hp WHERE EXISTS (
      SELECT 1 FROM ${ranges} CROSS JOIN ${t} INDEXED BY tasks_by_project_due
        ON ${t.project} = hp.id AND ${due})`;
}
