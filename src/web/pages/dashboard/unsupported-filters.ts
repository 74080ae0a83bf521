import type { DashboardParams } from './dashboard.tsx';

type Filter = Exclude<keyof DashboardParams, 'mode' | 'project'>;

const labels: Record<Filter, string> = {
  q: 'text',
  team: 'team',
  assignee: 'person',
  projectStatus: 'project status',
  status: 'status',
  from: 'date',
  to: 'date',
};

const anyOf = new Intl.ListFormat('en-GB', { type: 'disjunction' });

const unsupported = {
  comments: ['status'],
  workload: ['q', 'status'],
  flow: ['q', 'team', 'assignee', 'projectStatus', 'status', 'from', 'to'],
} as const satisfies Record<string, readonly Filter[]>;

/** Hides a section that can't apply a filter, because it would show other tasks than the rest of the page. */
export function findUnsupportedFilters(params: DashboardParams): Record<keyof typeof unsupported, string> {
  const find = (section: keyof typeof unsupported) => {
    const filters: readonly Filter[] = unsupported[section];
    const named = filters.filter((filter) => params[filter] !== undefined).map((filter) => labels[filter]);
    return anyOf.format(new Set(named));
  };
  return { comments: find('comments'), workload: find('workload'), flow: find('flow') };
}
