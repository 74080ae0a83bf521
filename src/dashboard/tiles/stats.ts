import type { Caller } from '../../kernel/access/access.ts';
import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { buildFirstParts, type PartProgress } from '../../search/index/search.queries.ts';
import { hasMoreParts, searchInParts } from '../../search/index/search.ts';
import type { DashboardFilter } from '../filter/dashboard-filter.queries.ts';
import { dashboardFilterInput } from '../filter/dashboard-filter.schema.ts';
import { toDashboardFilter } from '../filter/dashboard-filter.ts';
import { openStatusIndexes } from '../filter/statuses.ts';
import { countProjects } from './counted-projects.queries.ts';
import { stats } from './stats.schema.ts';
import { sumTileCounts, toStats } from './tile-counts.ts';
import { getTileDays, type TileDays } from './tile-days.ts';
import { countTileMatches, countTiles, countTilesForTask, type TileMatches } from './tiles.queries.ts';

export const getDashboardStats = defineOperation(
  {
    name: 'getDashboardStats',
    summary: 'Count projects, and tasks that are overdue, due today or due this week',
    description: 'Your role decides what is counted. Completed tasks count only if `status` is `completed`.',
    access: 'dashboard:read',
    capability: 'seeDashboard',
    effect: 'read',
    input: dashboardFilterInput,
    output: stats,
  },
  async ({ db, caller, reach, now }, input) => {
    const filter = toDashboardFilter(input, reach, openStatusIndexes);
    const days = getTileDays(filter, input.localDate ?? toWallClock(now, caller.timezone).date);
    if (filter.search !== undefined) return countSearchStats(db, caller, filter, filter.search, days);
    if (filter.taskId !== undefined) {
      const [projects, found] = await db.batch([
        countProjects(caller, filter),
        countTilesForTask(caller, filter, days),
      ]);
      return toStats({ overdue: 0, due_today: 0, due_this_week: 0, ...found, projects });
    }
    const [tiles] = await db.batch([countTiles(caller, filter, days)]);
    return toStats(tiles);
  },
);

async function countSearchStats(
  db: Context['db'],
  caller: Caller,
  filter: DashboardFilter,
  search: string,
  days: TileDays,
) {
  const parts = buildFirstParts(caller, search, { ...filter, isArchived: false });
  let tallies: (TileMatches & PartProgress)[];
  [tallies] = await db.batch([countTileMatches(caller, parts, filter, days)]);
  if (hasMoreParts(parts, tallies)) {
    tallies = [];
    await searchInParts(
      db,
      parts,
      (part) => ({ tally: countTileMatches(caller, [part], filter, days) }),
      (each) => tallies.push(each),
    );
  }
  return sumTileCounts(tallies);
}
