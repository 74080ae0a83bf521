import type { Caller } from '../../kernel/access/access.ts';
import { names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { columnAt, dueColumns, dueDays } from '../../schema/cell/counters.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { picksPeople, seesPeople } from '../scope/scope.queries.ts';
import type { DashboardFilter } from './dashboard-filter.queries.ts';
import { type DueRange, scopedTasks, tasksOfPeopleElsewhere } from './scoped-tasks.queries.ts';

const d = names(dueDays, 'd');
const t = names(tasks, 't');

/** Rows of a day and a number of tasks. A day may occur more than once. */
export function countedDays(caller: Caller, filter: DashboardFilter, spans: SQL): SQL {
  const range: DueRange = { statuses: filter.statuses, spans };
  const task = sql`${t.due} AS day, 1 AS n`;
  if (picksPeople(filter)) return scopedTasks(caller, filter, range, task);
  const ofDay = sql.raw(filter.statuses.map((status) => d[columnAt(dueColumns, status)]).join(' + '));
  const projects = sql`
    SELECT ${d.day} AS day, ${ofDay} AS n FROM ${spans} sp CROSS JOIN my_projects mp
    CROSS JOIN ${d} ON ${d.project} = mp.id AND ${d.day} >= sp.first AND ${d.day} < sp.until`;
  return seesPeople(filter)
    ? sql`${projects} UNION ALL ${tasksOfPeopleElsewhere(filter, range, task)}`
    : projects;
}
