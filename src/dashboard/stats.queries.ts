import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../kernel/access.ts';
import { firstRow, number, row, rows, type Statement } from '../kernel/database.ts';
import { bucketSum } from '../tasks/counts.queries.ts';
import { borderOf } from '../tasks/deadline-counts.queries.ts';
import { deadlineRange, foundTasks, type TaskFilter } from './found-tasks.queries.ts';
import {
  besideMyProjects,
  picksPeople,
  projectsHolding,
  scopedSum,
  scopedTasks,
  scopeTables,
  seesPeople,
} from './scope.queries.ts';
import { bucketsOfStatuses } from './statuses.ts';

/** Deadlines before the border, and the border itself. */
export function countPastBorder(
  caller: Caller,
  filter: TaskFilter,
): Statement<{ past: number; border: string }> {
  const past = sql.raw(filter.statuses.map((status) => `c.past${status}`).join(' + '));
  return row(sql`
    WITH RECURSIVE ${scopeTables(caller, filter)}
    SELECT (${scopedSum(caller, filter, past)}) AS past, ${borderOf(caller.workspace)} AS border`);
}

export interface DayCount {
  day: string;
  n: number;
}

/** Deadlines a day, from the earlier of `from` and the border to the later of `to` and the border. */
export function countDays(
  caller: Caller,
  filter: TaskFilter,
  from: string,
  to: string,
): Statement<DayCount[]> {
  const border = borderOf(caller.workspace);
  const first = sql`min(${from}, ${border})`;
  const last = sql`max(${to}, ${border})`;
  const range = { statuses: filter.statuses, from: first, to: last };
  const tasks = sql`t.due AS day, 1 AS n`;
  return rows<DayCount>(sql`
    WITH RECURSIVE ${scopeTables(caller, filter)}
    SELECT day, sum(n) AS n FROM (${picksPeople(filter) ? scopedTasks(caller, filter, range, tasks) : withoutPeople()})
    GROUP BY day`);

  function withoutPeople(): SQL {
    const ofDay = sql.raw(filter.statuses.map((status) => `d.s${status}`).join(' + '));
    const projects = sql`
      SELECT d.day AS day, ${ofDay} AS n FROM my_projects mp
      CROSS JOIN due_days d ON d.project = mp.id AND d.day >= ${first} AND d.day <= ${last}`;
    if (!seesPeople(caller)) return projects;
    return sql`${projects} UNION ALL
      SELECT ${tasks} FROM seen_people pp CROSS JOIN json_each(${JSON.stringify(filter.statuses)}) ss
      CROSS JOIN tasks t INDEXED BY tasks_by_member_due
        ON t.member = pp.no AND t.st = ss.value AND t.due >= ${first} AND t.due <= ${last}
      WHERE ${besideMyProjects(filter, sql`t.project`)}`;
  }
}

/** Projects of the scope; with any task filter only those that hold a task which passes it. */
export function countProjects(caller: Caller, filter: TaskFilter): Statement<number> {
  const tables = scopeTables(caller, filter);
  if (!filter.isFiltered)
    return number(sql`WITH RECURSIVE ${tables} SELECT count(*) AS total FROM my_projects`);
  return number(sql`
    WITH RECURSIVE ${tables}, holding (project) AS (${holding()})
    SELECT count(*) AS total FROM my_projects mp WHERE mp.id IN (SELECT project FROM holding)`);

  function holding(): SQL {
    if (filter.search !== undefined || filter.taskId !== undefined) {
      return sql`SELECT t.project FROM ${foundTasks(caller, filter)}`;
    }
    if (filter.from !== undefined || filter.to !== undefined) {
      return scopedTasks(caller, filter, deadlineRange(filter), sql`t.project AS project`);
    }
    const counted = bucketSum(bucketsOfStatuses(filter.statuses));
    return projectsHolding(caller, filter, counted);
  }
}

export interface TileCounts {
  overdue: number;
  dueToday: number;
  dueThisWeek: number;
}

/** The tiles of a search or of one task, counted from the tasks themselves. */
export function countFoundTiles(
  caller: Caller,
  filter: TaskFilter,
  today: string,
  sunday: string,
): Statement<TileCounts | null> {
  return firstRow<TileCounts>(sql`
    WITH RECURSIVE ${scopeTables(caller, filter)}
    SELECT count(*) FILTER (WHERE t.due < ${today}) AS overdue,
      count(*) FILTER (WHERE t.due = ${today}) AS dueToday,
      count(*) FILTER (WHERE t.due >= ${today} AND t.due <= ${sunday}) AS dueThisWeek
    FROM ${foundTasks(caller, filter)}`);
}
