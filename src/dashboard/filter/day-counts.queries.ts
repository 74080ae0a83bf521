import type { Caller } from '../../kernel/access/access.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { dueColumns, dueDays, getColumnAt } from '../../schema/cell/counters.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { hasPeopleFilter, includesPeople } from '../scope/scope.queries.ts';
import type { DashboardFilter } from './dashboard-filter.queries.ts';
import { type DueRange, selectScopedTasks, selectTasksOutsideMyProjects } from './scoped-tasks.queries.ts';

const d = aliasTable(dueDays, 'd');
const t = aliasTable(tasks, 't');

/** The result may have several rows for the same day. */
export function selectDayCounts(caller: Caller, filter: DashboardFilter, spans: SQL): SQL {
  const range: DueRange = { statuses: filter.statuses, spans };
  const task = sql`${t.due} AS day, 1 AS n`;
  if (hasPeopleFilter(filter)) return selectScopedTasks(caller, filter, range, task);
  const ofDay = sql.raw(filter.statuses.map((status) => d[getColumnAt(dueColumns, status)]).join(' + '));
  const projects = sql`
    SELECT ${d.day} AS day, ${ofDay} AS n FROM ${spans} sp CROSS JOIN my_projects mp
    CROSS JOIN ${d} ON ${d.project} = mp.id AND ${d.day} >= sp.first AND ${d.day} < sp.until`;
  return includesPeople(filter)
    ? sql`${projects} UNION ALL ${selectTasksOutsideMyProjects(filter, range, task)}`
    : projects;
}
