import type { DashboardParams } from './dashboard.tsx';

type DashboardFilter = Exclude<keyof DashboardParams, 'mode' | 'project'>;

const filterLabels: Record<DashboardFilter, string> = {
  q: 'text',
  team: 'team',
  assignee: 'person',
  projectStatus: 'project status',
  status: 'status',
  from: 'date',
  to: 'date',
};

const listFormat = new Intl.ListFormat('en-GB', { type: 'disjunction' });

const unsupportedFilters = {
  comments: ['status'],
  workload: ['q', 'status'],
  flow: ['q', 'team', 'assignee', 'projectStatus', 'status', 'from', 'to'],
} as const satisfies Record<string, readonly DashboardFilter[]>;

/**
 * Names the active filters that each section doesn't support, such as "text or status". A section with unsupported
 * filters must be hidden.
 */
export function findUnsupportedFilters(
  params: DashboardParams,
): Record<keyof typeof unsupportedFilters, string> {
  const listUnsupported = (section: keyof typeof unsupportedFilters) => {
    const filters: readonly DashboardFilter[] = unsupportedFilters[section];
    const names = filters
      .filter((filter) => params[filter] !== undefined)
      .map((filter) => filterLabels[filter]);
    return listFormat.format(new Set(names));
  };
  return {
    comments: listUnsupported('comments'),
    workload: listUnsupported('workload'),
    flow: listUnsupported('flow'),
  };
}
