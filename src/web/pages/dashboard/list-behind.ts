import type { DashboardParams } from './dashboard.tsx';

/** Deadlines, both included. */
interface Days {
  from?: string | undefined;
  to?: string | undefined;
}

/** Deadlines of a number that the filter leaves in; null if none. */
export function daysLeft({ from, to }: Days, filter: Days): Days | null {
  const first = latest(from, filter.from);
  const last = earliest(to, filter.to);
  return first !== undefined && last !== undefined && first > last ? null : { from: first, to: last };
}

function latest(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}

function earliest(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

/** The list of tasks behind a number. It knows no teams and no status of projects. */
export function listBehind(
  base: string,
  { q, project, assignee, status }: DashboardParams,
  { from, to }: Days,
  more: { status?: string; sort?: string } = {},
): string {
  const filters = { q, project, assignee, ...more, ...(status && { status }), from, to };
  const query = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return `${base}/tasks?${new URLSearchParams(query)}`;
}
