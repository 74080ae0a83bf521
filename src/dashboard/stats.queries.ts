import { bucketSum } from '../counters/counts.queries.ts';
import type { Caller } from '../kernel/access.ts';
import { number, type Statement } from '../kernel/database.ts';
import { names, type SQL, sql } from '../kernel/sql.ts';
import { bucketsOfStatuses } from '../task-model/buckets.ts';
import { tasks } from '../task-model/tasks.sql.ts';
import { deadlineRange, namedTask, type TaskFilter } from './found-tasks.queries.ts';
import { picksPeople, projectsHolding, scopeTables } from './scope.queries.ts';
import { type DueRange, scopedTasks } from './scoped-tasks.queries.ts';

const t = names(tasks, 't');

/** Projects of the scope, without a search; with any task filter only those that hold a task which passes it. */
export function countProjects(caller: Caller, filter: TaskFilter): Statement<number> {
  const tables = scopeTables(caller, filter);
  if (!filter.isFiltered)
    return number(sql`WITH RECURSIVE ${tables} SELECT count(*) AS total FROM my_projects`);
  return number(sql`
    WITH RECURSIVE ${tables}, holding (project) AS (${holding()})
    SELECT count(*) AS total FROM my_projects mp WHERE mp.id IN (SELECT project FROM holding)`);

  function holding(): SQL {
    if (filter.taskId !== undefined) return sql`SELECT ${t.project} FROM ${namedTask(caller, filter)}`;
    if (filter.from !== undefined || filter.until !== undefined) {
      if (!picksPeople(filter)) return projectsDue(deadlineRange(filter));
      return scopedTasks(caller, filter, deadlineRange(filter), sql`${t.project} AS project`);
    }
    const counted = bucketSum(bucketsOfStatuses(filter.statuses));
    return projectsHolding(caller, filter, counted);
  }
}

/** The caller's projects that hold a task of the range; the first task is enough. */
function projectsDue({ statuses, spans }: DueRange): SQL {
  return sql`
    SELECT hp.id AS project FROM my_projects hp WHERE EXISTS (
      SELECT 1 FROM json_each(${JSON.stringify(statuses)}) ss CROSS JOIN ${spans} sp
      CROSS JOIN ${t} INDEXED BY tasks_by_project_due
        ON ${t.project} = hp.id AND ${t.archived_status} = ss.value AND ${t.due} >= sp.first
          AND ${t.due} < sp.until)`;
}
