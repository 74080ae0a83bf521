import type { DashboardParams } from './dashboard.tsx';

type Filter = Exclude<keyof DashboardParams, 'mode' | 'project'>;

const words: Record<Filter, string> = {
  q: 'text',
  team: 'team',
  assignee: 'person',
  projectStatus: 'project status',
  status: 'status',
  from: 'date',
  to: 'date',
};

/** Which filters a part of the page does not know. */
const unknownTo = {
  comments: ['status'],
  workload: ['q', 'status'],
  flow: ['q', 'team', 'assignee', 'projectStatus', 'status', 'from', 'to'],
} as const satisfies Record<string, readonly Filter[]>;

/**
 * What a part that would show other tasks than the rest of the page is left out for: "text or status"; empty where it is
 * shown.
 */
export function leftOut(params: DashboardParams): Record<keyof typeof unknownTo, string> {
  const reasons = (part: keyof typeof unknownTo) => {
    const filters: readonly Filter[] = unknownTo[part];
    const named = filters.filter((filter) => params[filter] !== undefined).map((filter) => words[filter]);
    return [...new Set(named)].join(' or ');
  };
  return { comments: reasons('comments'), workload: reasons('workload'), flow: reasons('flow') };
}
