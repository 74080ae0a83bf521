import type { Caller } from '../../kernel/access/access.ts';
import { buildInList, readFirstRow, readRow, readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { countPartMatches, type PartProgress, type SearchPart } from '../../search/index/search.queries.ts';
import { selectCutoffs } from '../../tasks/counters/cutoffs.queries.ts';
import {
  buildFilterCondition,
  buildFilteredTaskFromClause,
  type DashboardFilter,
} from '../filter/dashboard-filter.queries.ts';
import { selectDayCounts } from '../filter/day-counts.queries.ts';
import { buildScopeTables } from '../scope/scope.queries.ts';
import { sumEachInScope } from '../scope/scoped-sums.queries.ts';
import { selectCountedProjects } from './counted-projects.queries.ts';
import type { DaySpan, TileDays } from './tile-days.ts';

const t = aliasTable(tasks, 't');

export type TileCounts = Row<ReturnType<typeof selectColumns<ReturnType<typeof buildTileColumns>>>>;
export type TileAndProjectCounts = TileCounts & { projects: number };

/**
 * Starts from the number of tasks due before a cutoff, and adds or subtracts the tasks due on the days between the
 * cutoff and the requested day.
 */
export function countTiles(
  caller: Caller,
  filter: DashboardFilter,
  tiles: TileDays,
  daysOf = selectDayCounts,
): Statement<TileAndProjectCounts> {
  const { overdue, dueToday, dueThisWeek } = tiles;
  const sums = { past: buildStatusSum(filter, 'past'), week: buildStatusSum(filter, 'week') };
  // The caller's week may end at `past_cutoff`, which can be Monday while it is still Sunday in the caller's time zone.
  const isPastNearer = sql`
    julianday(${dueThisWeek.until}) - julianday(b.past_cutoff) < julianday(b.week_cutoff) - julianday(${dueThisWeek.until})`;
  const spans = sql`(SELECT first, until FROM spans WHERE first < until)`;
  /**
   * Counts the tasks due before `day`. The result is exact if every day between `day` and the cutoff was read. All
   * other days cancel out.
   */
  const before = (day: string, sum: 'past' | 'week' = 'past') => {
    const [summed, cutoff] = [sql.raw(sum), sql.raw(`${sum}_cutoff`)];
    return sql`((SELECT ${summed} FROM summed)
      + coalesce(sum(n * ((day < ${day}) - (day < (SELECT ${cutoff} FROM summed)))), 0))`;
  };
  return readRow(sql`
    WITH RECURSIVE ${buildScopeTables(caller, filter)},
    summed AS MATERIALIZED (
      SELECT s.past, b.past_cutoff, iif(${isPastNearer}, s.past, s.week) AS week,
        iif(${isPastNearer}, b.past_cutoff, b.week_cutoff) AS week_cutoff
      FROM (${sumEachInScope(caller, filter, sums)}) s CROSS JOIN (${selectCutoffs(caller.workspace)}) b),
    spans (first, until) AS MATERIALIZED (${selectDaysToRead(tiles)}),
    days (day, n) AS (${daysOf(caller, filter, spans)})
    SELECT ${selectColumns({
      projects: withType<number>(sql`(SELECT count(*) FROM (${selectCountedProjects(caller, filter)}))`),
      overdue: withType<number>(
        sql`${before(overdue.until)} - ${overdue.first === undefined ? sql`0` : before(overdue.first)}`,
      ),
      due_today: withType<number>(sql`${before(dueToday.until)} - ${before(dueToday.first)}`),
      due_this_week: withType<number>(
        sql`${before(dueThisWeek.until, 'week')} - ${before(dueThisWeek.first)}`,
      ),
    })}
    FROM days`);
}

/** Covers the days between each cutoff and the first or last day of a tile, without reading any day twice. */
function selectDaysToRead({ overdue, dueToday, dueThisWeek }: TileDays): SQL {
  const near = [overdue.until, dueToday.first, dueToday.until, dueThisWeek.first];
  if (overdue.first !== undefined) near.push(overdue.first);
  near.sort();
  const [first, last, end] = [near[0] as string, near.at(-1) as string, dueThisWeek.until];
  return sql`
    SELECT min(${first}, past_cutoff, week_cutoff), max(${last}, past_cutoff) FROM summed
    UNION ALL
    SELECT max(${last}, past_cutoff, min(${end}, week_cutoff)), max(${end}, week_cutoff) FROM summed`;
}

function buildStatusSum({ statuses }: DashboardFilter, columnPrefix: string): SQL {
  return sql.raw(statuses.map((status) => `c.${columnPrefix}${status}`).join(' + '));
}

export function countTilesForTask(
  caller: Caller,
  filter: DashboardFilter,
  tiles: TileDays,
): Statement<TileCounts | null> {
  return readFirstRow(sql`
    WITH RECURSIVE ${buildScopeTables(caller, filter)}
    SELECT ${selectColumns(buildTileColumns(tiles, t.due))} FROM ${buildFilteredTaskFromClause(caller, filter)}`);
}

export type ProjectTileCounts = TileCounts & { project: number; is_mine: 0 | 1; matches: number };

export function countTilesByProject(
  caller: Caller,
  filter: DashboardFilter,
  tiles: TileDays,
  ids: readonly number[],
): Statement<ProjectTileCounts[]> {
  const columns = selectColumns({
    project: t.project,
    is_mine: withType<0 | 1>(sql`${t.project} IN (SELECT id FROM my_projects)`),
    matches: withType<number>(sql`count(*)`),
    ...buildTileColumns(tiles, t.due),
  });
  return readRows(sql`
    WITH RECURSIVE ${buildScopeTables(caller, filter)}
    SELECT ${columns} FROM ${buildFilteredTaskFromClause(caller, filter)} AND ${t.id} IN ${buildInList(ids)}
    GROUP BY ${t.project}`);
}

const matchedProjects = withType<string>(sql`json_group_array(DISTINCT project) FILTER (WHERE found
  AND project IN (SELECT id FROM my_projects))`);
export type TileMatches = TileCounts & { projects: string };

export function countTileMatches(
  caller: Caller,
  parts: readonly SearchPart[],
  filter: DashboardFilter,
  tiles: TileDays,
): Statement<(TileMatches & PartProgress)[]> {
  return countPartMatches(caller, parts, {
    tables: sql`WITH RECURSIVE ${buildScopeTables(caller, filter)}`,
    conditions: buildFilterCondition(filter),
    columns: selectColumns({
      ...buildTileColumns(tiles, sql`due`, sql`found AND`),
      projects: matchedProjects,
    }),
  });
}

function buildTileColumns({ overdue, dueToday, dueThisWeek }: TileDays, due: SQL, found = sql``) {
  const within = ({ first, until }: DaySpan) =>
    withType<number>(sql`count(*) FILTER (WHERE ${found} ${due} >= ${first} AND ${due} < ${until})`);
  return {
    overdue: withType<number>(sql`count(*) FILTER (WHERE ${found} ${due} < ${overdue.until})`),
    due_today: within(dueToday),
    due_this_week: within(dueThisWeek),
  };
}
