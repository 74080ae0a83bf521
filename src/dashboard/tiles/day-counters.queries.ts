import type { Caller } from '../../kernel/access/access.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import {
  dueColumns,
  dueDays,
  getColumnAt,
  halfMonthColumns,
  memberHalfMonths,
} from '../../schema/cell/counters.ts';
import { buildHalfMonthColumn, buildHalfMonthKey } from '../../tasks/counters/day-columns.queries.ts';
import type { DashboardFilter } from '../filter/dashboard-filter.queries.ts';
import { selectDayCounts } from '../filter/day-counts.queries.ts';
import { openStatusIndexes } from '../filter/statuses.ts';
import { hasPeopleFilter, includesPeople } from '../scope/scope.queries.ts';
import { buildScopeSources, type PeopleAndProjects } from '../scope/scope-sources.queries.ts';

const d = aliasTable(dueDays, 'd');
const h = aliasTable(memberHalfMonths, 'h');

/**
 * Reads a counter row per day for each project, and a row per half month for each person. People's counters include
 * only open tasks, so for other statuses, the tasks themselves are counted.
 */
export function selectDayCountsFromCounters(caller: Caller, filter: DashboardFilter, spans: SQL): SQL {
  const ofPeople = hasPeopleFilter(filter) || includesPeople(filter);
  if (ofPeople && filter.statuses.join() !== openStatusIndexes.join())
    return selectDayCounts(caller, filter, spans);
  const { projects, assignees, both, overlap } = buildScopeSources(caller, filter);
  const everywhere = sql`SELECT 0 AS id`;
  const terms = [
    ...(projects ? [selectProjectCounts(filter, projects)] : []),
    ...(assignees ? [selectPairCounts(caller, { people: assignees, projects: everywhere })] : []),
    ...both.map((pairs) => selectPairCounts(caller, pairs)),
    ...(overlap ? [selectPairCounts(caller, overlap, -1)] : []),
  ];
  return sql`
    WITH RECURSIVE asked (day, until) AS (
      SELECT sp.first, sp.until FROM ${spans} sp
      UNION ALL SELECT date(day, '+1 day'), until FROM asked WHERE date(day, '+1 day') < until)
    ${sql.join(terms, sql` UNION ALL `)}`;
}

function selectProjectCounts({ statuses }: DashboardFilter, projects: SQL): SQL {
  const ofDay = sql.raw(statuses.map((status) => d[getColumnAt(dueColumns, status)]).join(' + '));
  return sql`
    SELECT ${d.day} AS day, ${ofDay} AS n FROM asked a CROSS JOIN (${projects}) pr
    CROSS JOIN ${d} ON ${d.project} = pr.id AND ${d.day} = a.day`;
}

function selectPairCounts(
  caller: Caller,
  { people, projects }: Pick<PeopleAndProjects, 'people' | 'projects'>,
  sign: 1 | -1 = 1,
) {
  const cases = halfMonthColumns.due.map(
    (column, index) => sql`WHEN ${sql.raw(String(index + 1))} THEN ${h[column]}`,
  );
  return sql`
    SELECT a.day AS day, ${sql.raw(String(sign))} * CASE ${buildHalfMonthColumn(sql`a.day`)} ${sql.join(cases, sql` `)} END AS n
    FROM asked a CROSS JOIN (${projects}) pr CROSS JOIN (${people}) pp
    CROSS JOIN ${h} ON ${h.ws} = ${caller.workspace} AND ${h.member} = pp.no AND ${h.project} = pr.id
      AND ${h.half} = ${buildHalfMonthKey(sql`a.day`)}`;
}
