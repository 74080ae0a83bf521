import type { Caller } from '../../kernel/access/access.ts';
import { CANDIDATES_READ_MAX } from '../../kernel/lists/bounded-count.ts';
import { buildFirstParts, type SearchPart } from '../../search/index/search.queries.ts';
import type { DashboardFilter } from './dashboard-filter.queries.ts';

export function buildNewestSearchParts(
  caller: Caller,
  search: string,
  filter: DashboardFilter,
): SearchPart[] {
  const limits = [CANDIDATES_READ_MAX.tasks, CANDIDATES_READ_MAX.longTasks];
  return buildFirstParts(caller, search, { ...filter, isArchived: false }).map((part, index) => ({
    ...part,
    limit: limits[index] ?? part.limit,
  }));
}
