import type { Caller } from '../kernel/access.ts';
import { addDays, nextMonday, wallClock } from '../kernel/civil.ts';
import { type Context, operation } from '../kernel/operation.ts';
import { firstParts, type Progress } from '../search/search.queries.ts';
import { isUnfinished, searchOn } from '../search/search.ts';
import { orNever } from '../task-model/due-range.ts';
import { stats, statsInput } from './dashboard.schema.ts';
import { toTaskFilter } from './filter.ts';
import type { TaskFilter } from './found-tasks.queries.ts';
import { countProjects } from './stats.queries.ts';
import { openStatuses } from './statuses.ts';
import {
  countNamedTiles,
  countTiles,
  type Days,
  type FoundTiles,
  type TileCounts,
  type TileDays,
  tallyTiles,
} from './tiles.queries.ts';

export const getDashboardStats = operation(
  {
    name: 'getDashboardStats',
    summary: 'Count projects, and tasks overdue, due today and due this week',
    description: 'Your role decides what is counted. Completed tasks count only where status asks for them.',
    access: 'dashboard:read',
    capability: 'seeDashboard',
    effect: 'read',
    input: statsInput,
    output: stats,
  },
  async ({ db, caller, reach, now }, input) => {
    const filter = toTaskFilter(input, reach, openStatuses);
    const days = tileDays(filter, input.localDate ?? wallClock(now, caller.timezone).date);
    if (filter.search !== undefined) return searchStats(db, caller, filter, filter.search, days);
    if (filter.taskId !== undefined) {
      const [projects, found] = await db.batch([
        countProjects(caller, filter),
        countNamedTiles(caller, filter, days),
      ]);
      return toStats(projects, found ?? { overdue: 0, due_today: 0, due_this_week: 0 });
    }
    const [tiles] = await db.batch([countTiles(caller, filter, days)]);
    return toStats(tiles.projects, tiles);
  },
);

async function searchStats(
  db: Context['db'],
  caller: Caller,
  filter: TaskFilter,
  search: string,
  days: TileDays,
) {
  const parts = firstParts(caller, search, { ...filter, isArchived: false });
  let tallies: (FoundTiles & Progress)[];
  [tallies] = await db.batch([tallyTiles(caller, parts, filter, days)]);
  if (isUnfinished(parts, tallies)) {
    tallies = [];
    await searchOn(
      db,
      parts,
      (part) => ({ tally: tallyTiles(caller, [part], filter, days) }),
      (each) => tallies.push(each),
    );
  }
  const sum = (tile: keyof TileCounts) => tallies.reduce((all, each) => all + each[tile], 0);
  const projects = new Set(tallies.flatMap((each) => JSON.parse(each.projects) as number[]));
  return toStats(projects.size, {
    overdue: sum('overdue'),
    due_today: sum('due_today'),
    due_this_week: sum('due_this_week'),
  });
}

function toStats(projects: number, { overdue, due_today, due_this_week }: TileCounts) {
  return { projects, overdue, dueToday: due_today, dueThisWeek: due_this_week };
}

/** Each tile has its own window, which the filter can only narrow. @param today for the caller. */
export function tileDays({ from, until }: TaskFilter, today: string): TileDays {
  const overdueUntil = earlier(today, until);
  const between = (end: string): Days => {
    const last = earlier(end, until);
    return { first: earlier(from !== undefined && from > today ? from : today, last), until: last };
  };
  return {
    overdue: { first: from && earlier(from, overdueUntil), until: overdueUntil },
    dueToday: between(orNever(addDays(today, 1))),
    dueThisWeek: between(orNever(nextMonday(today))),
  };
}

function earlier(one: string, other: string | undefined): string {
  return other !== undefined && other < one ? other : one;
}
