import type { DashboardParams } from './dashboard.tsx';

/** Both days are included. */
interface DateRange {
  from?: string | undefined;
  to?: string | undefined;
}

export function intersectDateRanges({ from, to }: DateRange, filter: DateRange): DateRange | null {
  const first = getLaterDate(from, filter.from);
  const last = getEarlierDate(to, filter.to);
  return first !== undefined && last !== undefined && first > last ? null : { from: first, to: last };
}

function getLaterDate(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}

function getEarlierDate(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

/** Omits the team and the project status, because the task list can't filter by them. */
export function buildTaskListLink(
  base: string,
  { q, project, assignee, status }: DashboardParams,
  { from, to }: DateRange,
  more: { status?: string; sort?: string } = {},
): string {
  const filters = { q, project, assignee, ...more, ...(status && { status }), from, to };
  const query = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return `${base}/tasks?${new URLSearchParams(query)}`;
}
