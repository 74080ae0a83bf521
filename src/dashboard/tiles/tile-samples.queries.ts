import type { Caller } from '../../kernel/access/access.ts';
import { readRows, type Statement } from '../../kernel/sql/database.ts';
import { type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { NO_DEADLINE } from '../../schema/cell/tasks.ts';
import { FIRST_DAY } from '../../tasks/model/due-range.ts';
import type { DashboardFilter } from '../filter/dashboard-filter.queries.ts';
import { selectFirstTasks } from '../filter/scoped-tasks.queries.ts';
import { buildScopeTables, hasPeopleFilter } from '../scope/scope.queries.ts';
import { selectCountedProjects } from './counted-projects.queries.ts';
import type { TileDays } from './tile-days.ts';

export const tileNames = ['overdue', 'dueToday', 'dueThisWeek', 'projects'] as const;

export interface TileSample {
  tile: (typeof tileNames)[number];
  walked: number;
  found: number;
}

/** Checks only the first `most` tasks of a tile, for filters that can't use the counters. */
export function sampleTiles(
  caller: Caller,
  filter: DashboardFilter,
  { overdue, dueToday, dueThisWeek }: TileDays,
  most: number,
): Statement<TileSample[]> {
  const selectSample = (
    first: string | undefined,
    until: string | undefined,
    found = sql`count(*) FILTER (WHERE fits)`,
  ) => {
    const spans = sql`(SELECT ${first ?? FIRST_DAY} AS first, ${until ?? NO_DEADLINE} AS until)`;
    const walked = selectFirstTasks(caller, filter, { statuses: filter.statuses, spans }, most);
    return sql`count(*) AS walked, ${found} AS found FROM (${walked})`;
  };
  const isByDate = filter.from !== undefined || filter.until !== undefined;
  const tiles: Record<TileSample['tile'], SQL> = {
    overdue: selectSample(overdue.first, overdue.until),
    dueToday: selectSample(dueToday.first, dueToday.until),
    dueThisWeek: selectSample(dueThisWeek.first, dueThisWeek.until),
    // With filters on days and people, `selectCountedProjects` would read all tasks of each project.
    projects:
      isByDate && hasPeopleFilter(filter)
        ? selectSample(
            filter.from,
            filter.until,
            sql`count(DISTINCT project) FILTER (WHERE fits AND is_mine)`,
          )
        : sql`0 AS walked, count(*) AS found FROM (${selectCountedProjects(caller, filter)})`,
  };
  const lines = tileNames.map((name) => sql`SELECT ${sql.raw(`'${name}'`)} AS tile, ${tiles[name]}`);
  return readRows(sql`
    WITH RECURSIVE ${buildScopeTables(caller, filter)}
    SELECT ${selectColumns({
      tile: withType<TileSample['tile']>(sql`tile`),
      walked: withType<number>(sql`walked`),
      found: withType<number>(sql`found`),
    })} FROM (${sql.join(lines, sql` UNION ALL `)})`);
}
