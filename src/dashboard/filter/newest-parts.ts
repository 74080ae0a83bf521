import type { Caller } from '../../kernel/access/access.ts';
import { LOOKED_AT } from '../../kernel/lists/count-so-far.ts';
import { firstParts, type Part } from '../../search/index/search.queries.ts';
import type { DashboardFilter } from './dashboard-filter.queries.ts';

/** The parts of a search among the newest tasks only. */
export function newestParts(caller: Caller, search: string, filter: DashboardFilter): Part[] {
  const limits = [LOOKED_AT.tasks, LOOKED_AT.longTasks];
  return firstParts(caller, search, { ...filter, isArchived: false }).map((part, index) => ({
    ...part,
    limit: limits[index] ?? part.limit,
  }));
}
