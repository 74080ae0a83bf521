import type { DashboardStats } from './stats.schema.ts';
import type { TileAndProjectCounts, TileCounts, TileMatches } from './tiles.queries.ts';

export function toStats({
  projects,
  overdue,
  due_today,
  due_this_week,
}: TileAndProjectCounts): DashboardStats {
  return { projects, overdue, dueToday: due_today, dueThisWeek: due_this_week };
}

export function sumTileCounts(parts: readonly TileMatches[]): DashboardStats {
  const sum = (tile: keyof TileCounts) => parts.reduce((all, each) => all + each[tile], 0);
  const projects = new Set(parts.flatMap((each) => JSON.parse(each.projects) as number[]));
  return toStats({
    projects: projects.size,
    overdue: sum('overdue'),
    due_today: sum('due_today'),
    due_this_week: sum('due_this_week'),
  });
}
