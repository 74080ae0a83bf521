import type { Reach } from '../../kernel/access/capabilities.ts';
import { addDays } from '../../kernel/dates/civil-date.ts';
import { capDueDay } from '../../tasks/model/due-range.ts';
import type { DashboardFilter } from './dashboard-filter.queries.ts';
import type { DashboardFilterInput } from './dashboard-filter.schema.ts';
import { toStatusIndex } from './dashboard-filter.schema.ts';

export function toDashboardFilter(
  input: DashboardFilterInput,
  reach: Reach,
  statuses: readonly number[],
): DashboardFilter {
  const { teamId, assigneeId, projectId, projectStatus, taskId, from, to } = input;
  const search = input.search || undefined;
  const taskFilters = [search, teamId, assigneeId, taskId, from, to, input.status];
  return {
    reach,
    teamId,
    assigneeId,
    projectId,
    projectStatus,
    taskId,
    from,
    until: to === undefined ? undefined : capDueDay(addDays(to, 1)),
    search,
    statuses: input.status === undefined ? statuses : [toStatusIndex(input.status)],
    isFiltered: taskFilters.some((value) => value !== undefined),
  };
}
