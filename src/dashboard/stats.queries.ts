import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../kernel/access.ts';
import { number, type Statement } from '../kernel/database.ts';
import { bucketSum } from '../tasks/counts.queries.ts';
import { deadlineRange, namedTask, type TaskFilter } from './found-tasks.queries.ts';
import { projectsHolding, scopedTasks, scopeTables } from './scope.queries.ts';
import { bucketsOfStatuses } from './statuses.ts';

/** Projects of the scope, without a search; with any task filter only those that hold a task which passes it. */
export function countProjects(caller: Caller, filter: TaskFilter): Statement<number> {
  const tables = scopeTables(caller, filter);
  if (!filter.isFiltered)
    return number(sql`WITH RECURSIVE ${tables} SELECT count(*) AS total FROM my_projects`);
  return number(sql`
    WITH RECURSIVE ${tables}, holding (project) AS (${holding()})
    SELECT count(*) AS total FROM my_projects mp WHERE mp.id IN (SELECT project FROM holding)`);

  function holding(): SQL {
    if (filter.taskId !== undefined) return sql`SELECT t.project FROM ${namedTask(caller, filter)}`;
    if (filter.from !== undefined || filter.until !== undefined) {
      return scopedTasks(caller, filter, deadlineRange(filter), sql`t.project AS project`);
    }
    const counted = bucketSum(bucketsOfStatuses(filter.statuses));
    return projectsHolding(caller, filter, counted);
  }
}
