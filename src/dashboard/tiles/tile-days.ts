import { addDays, getNextMonday } from '../../kernel/dates/civil-date.ts';
import { capDueDay } from '../../tasks/model/due-range.ts';
import type { DashboardFilter } from '../filter/dashboard-filter.queries.ts';

/** `until` is exclusive. */
export interface DaySpan {
  first: string;
  until: string;
}

export interface TileDays {
  overdue: { first: string | undefined; until: string };
  dueToday: DaySpan;
  dueThisWeek: DaySpan;
}

export function getTileDays({ from, until }: DashboardFilter, today: string): TileDays {
  const overdueUntil = getEarlierDay(today, until);
  const between = (end: string): DaySpan => {
    const last = getEarlierDay(end, until);
    return { first: getEarlierDay(from !== undefined && from > today ? from : today, last), until: last };
  };
  return {
    overdue: { first: from && getEarlierDay(from, overdueUntil), until: overdueUntil },
    dueToday: between(capDueDay(addDays(today, 1))),
    dueThisWeek: between(capDueDay(getNextMonday(today))),
  };
}

function getEarlierDay(one: string, other: string | undefined): string {
  return other !== undefined && other < one ? other : one;
}
