import * as z from 'zod';
import type { Caller } from '../../kernel/access/access.ts';
import { wallClock } from '../../kernel/dates/civil.ts';
import {
  type BoundedCount,
  boundedCount,
  TASKS_READ_MAX,
  toBoundedCount,
} from '../../kernel/lists/bounded-count.ts';
import { type Context, operation } from '../../kernel/operation/operation.ts';
import { isUnfinished } from '../../search/index/search.ts';
import type { DashboardFilter } from '../filter/dashboard-filter.queries.ts';
import { dashboardFilterInput } from '../filter/dashboard-filter.schema.ts';
import { toDashboardFilter } from '../filter/dashboard-filter.ts';
import { newestParts } from '../filter/newest-parts.ts';
import { isAllOfRanges } from '../filter/scoped-tasks.queries.ts';
import { openStatuses } from '../filter/statuses.ts';
import { countedNearDays } from './near-days.queries.ts';
import type { Stats } from './stats.schema.ts';
import { addUp, toStats } from './tile-counts.ts';
import { type TileDays, tileDays } from './tile-days.ts';
import { countTiles, tallyTiles } from './tiles.queries.ts';
import { type WalkedTile, walkedNames, walkTiles } from './walked-tiles.queries.ts';

const tiles = z.object({
  projects: boundedCount,
  overdue: boundedCount,
  dueToday: boundedCount,
  dueThisWeek: boundedCount,
});
type Tiles = z.output<typeof tiles>;

export const getDashboardTiles = operation(
  {
    name: 'getDashboardTiles',
    summary: 'Get the counts of the dashboard, exact where counters exist',
    access: 'session',
    capability: 'seeDashboard',
    effect: 'read',
    input: dashboardFilterInput.omit({ taskId: true, localDate: true }),
    output: tiles,
  },
  async ({ db, caller, reach, now }, input) => {
    const filter = toDashboardFilter(input, reach, openStatuses);
    const days = tileDays(filter, wallClock(now, caller.timezone).date);
    if (filter.search !== undefined) return findTiles(db, caller, filter, filter.search, days);
    if (!areCounted(filter)) return walkedTiles(db, caller, filter, days);
    const [counts] = await db.batch([countTiles(caller, filter, days, countedNearDays)]);
    return tilesOf(toStats(counts), (count) => ({ count, isAll: true }));
  },
);

/**
 * Counters cover days near today. A team with a project status would need too many rows, one for each person and project.
 */
function areCounted({ from, until, teamId, projectStatus }: DashboardFilter): boolean {
  return from === undefined && until === undefined && (teamId === undefined || projectStatus === undefined);
}

function tilesOf(counts: Stats, of: (count: number) => BoundedCount): Tiles {
  const { projects, overdue, dueToday, dueThisWeek } = counts;
  return {
    projects: of(projects),
    overdue: of(overdue),
    dueToday: of(dueToday),
    dueThisWeek: of(dueThisWeek),
  };
}

async function walkedTiles(
  db: Context['db'],
  caller: Caller,
  filter: DashboardFilter,
  days: TileDays,
): Promise<Tiles> {
  const most = isAllOfRanges(filter) ? TASKS_READ_MAX.ifAllCount : TASKS_READ_MAX.ifSomeDo;
  const [found] = await db.batch([walkTiles(caller, filter, days, most)]);
  const of = (name: WalkedTile['tile']) => {
    const tile = found.find((each) => each.tile === name) ?? { walked: 0, found: 0 };
    return toBoundedCount(tile.found, tile.walked < most);
  };
  return Object.fromEntries(walkedNames.map((name) => [name, of(name)])) as Tiles;
}

async function findTiles(
  db: Context['db'],
  caller: Caller,
  filter: DashboardFilter,
  search: string,
  days: TileDays,
): Promise<Tiles> {
  const parts = newestParts(caller, search, filter);
  const [tallies] = await db.batch([tallyTiles(caller, parts, filter, days)]);
  const isAll = !isUnfinished(parts, tallies);
  return tilesOf(addUp(tallies), (count) => toBoundedCount(count, isAll));
}
