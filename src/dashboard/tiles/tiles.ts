import * as z from 'zod';
import type { Caller } from '../../kernel/access/access.ts';
import { toWallClock } from '../../kernel/dates/civil-date.ts';
import {
  type BoundedCount,
  boundedCount,
  TASKS_READ_MAX,
  toBoundedCount,
} from '../../kernel/lists/bounded-count.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { hasMoreParts } from '../../search/index/search.ts';
import type { DashboardFilter } from '../filter/dashboard-filter.queries.ts';
import { dashboardFilterInput } from '../filter/dashboard-filter.schema.ts';
import { toDashboardFilter } from '../filter/dashboard-filter.ts';
import { buildNewestSearchParts } from '../filter/newest-search-parts.ts';
import { scopeIncludesWholeRanges } from '../filter/scoped-tasks.queries.ts';
import { openStatusIndexes } from '../filter/statuses.ts';
import { selectDayCountsFromCounters } from './day-counters.queries.ts';
import type { DashboardStats } from './stats.schema.ts';
import { sumTileCounts, toStats } from './tile-counts.ts';
import { getTileDays, type TileDays } from './tile-days.ts';
import { sampleTiles, type TileSample, tileNames } from './tile-samples.queries.ts';
import { countTileMatches, countTiles } from './tiles.queries.ts';

const tilesOutput = z.object({
  projects: boundedCount,
  overdue: boundedCount,
  dueToday: boundedCount,
  dueThisWeek: boundedCount,
});
type DashboardTiles = z.output<typeof tilesOutput>;

export const getDashboardTiles = defineOperation(
  {
    name: 'getDashboardTiles',
    summary: 'Get the counts on the dashboard page',
    access: 'session',
    capability: 'seeDashboard',
    effect: 'read',
    input: dashboardFilterInput.omit({ taskId: true, localDate: true }),
    output: tilesOutput,
  },
  async ({ db, caller, reach, now }, input) => {
    const filter = toDashboardFilter(input, reach, openStatusIndexes);
    const days = getTileDays(filter, toWallClock(now, caller.timezone).date);
    if (filter.search !== undefined) return countSearchTiles(db, caller, filter, filter.search, days);
    if (!canReadTileCounters(filter)) return countSampledTiles(db, caller, filter, days);
    const [counts] = await db.batch([countTiles(caller, filter, days, selectDayCountsFromCounters)]);
    return toTiles(toStats(counts), (count) => ({ count, isAll: true }));
  },
);

/**
 * The counters don't support a filter by day. Filtering by both team and project status would read too many counter
 * rows: one per pair of a person and a project.
 */
function canReadTileCounters({ from, until, teamId, projectStatus }: DashboardFilter): boolean {
  return from === undefined && until === undefined && (teamId === undefined || projectStatus === undefined);
}

function toTiles(counts: DashboardStats, toCount: (count: number) => BoundedCount): DashboardTiles {
  const { projects, overdue, dueToday, dueThisWeek } = counts;
  return {
    projects: toCount(projects),
    overdue: toCount(overdue),
    dueToday: toCount(dueToday),
    dueThisWeek: toCount(dueThisWeek),
  };
}

async function countSampledTiles(
  db: Context['db'],
  caller: Caller,
  filter: DashboardFilter,
  days: TileDays,
): Promise<DashboardTiles> {
  const most = scopeIncludesWholeRanges(filter) ? TASKS_READ_MAX.ifUnfiltered : TASKS_READ_MAX.ifFiltered;
  const [found] = await db.batch([sampleTiles(caller, filter, days, most)]);
  const toCount = (name: TileSample['tile']) => {
    const tile = found.find((each) => each.tile === name) ?? { walked: 0, found: 0 };
    return toBoundedCount(tile.found, tile.walked < most);
  };
  return Object.fromEntries(tileNames.map((name) => [name, toCount(name)])) as DashboardTiles;
}

async function countSearchTiles(
  db: Context['db'],
  caller: Caller,
  filter: DashboardFilter,
  search: string,
  days: TileDays,
): Promise<DashboardTiles> {
  const parts = buildNewestSearchParts(caller, search, filter);
  const [tallies] = await db.batch([countTileMatches(caller, parts, filter, days)]);
  const isAll = !hasMoreParts(parts, tallies);
  return toTiles(sumTileCounts(tallies), (count) => toBoundedCount(count, isAll));
}
