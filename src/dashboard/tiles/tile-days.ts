import { addDays, nextMonday } from '../../kernel/dates/civil.ts';
import { orNever } from '../../tasks/model/due-range.ts';
import type { DashboardFilter } from '../filter/dashboard-filter.queries.ts';

/** `first` is included, `until` excluded. */
export interface Days {
  first: string;
  until: string;
}

/** The days that each tile counts. Overdue has no first day unless the filter sets one. */
export interface TileDays {
  overdue: { first: string | undefined; until: string };
  dueToday: Days;
  dueThisWeek: Days;
}

/**
 * Each tile has its own window, which the filter can only narrow.
 * @param today the caller's date.
 */
export function tileDays({ from, until }: DashboardFilter, today: string): TileDays {
  const overdueUntil = earlier(today, until);
  const between = (end: string): Days => {
    const last = earlier(end, until);
    return { first: earlier(from !== undefined && from > today ? from : today, last), until: last };
  };
  return {
    overdue: { first: from && earlier(from, overdueUntil), until: overdueUntil },
    dueToday: between(orNever(addDays(today, 1))),
    dueThisWeek: between(orNever(nextMonday(today))),
  };
}

function earlier(one: string, other: string | undefined): string {
  return other !== undefined && other < one ? other : one;
}
