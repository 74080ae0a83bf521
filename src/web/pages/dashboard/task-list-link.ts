import type { DashboardParams } from './dashboard.tsx';

/** A range of deadlines, both ends included. */
interface Days {
  from?: string | undefined;
  to?: string | undefined;
}

/** The part of a range that is within the filter's dates; null if none. */
export function intersectDays({ from, to }: Days, filter: Days): Days | null {
  const first = pickLater(from, filter.from);
  const last = pickEarlier(to, filter.to);
  return first !== undefined && last !== undefined && first > last ? null : { from: first, to: last };
}

function pickLater(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}

function pickEarlier(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

/** A link to the task list that a number counts. The list can't filter by team or project status. */
export function buildTaskListLink(
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
