import { addDays, monthOf, toInstant, weekOf } from '../../kernel/dates/civil.ts';
import { namedPeriods, type Period } from './time-tracking.schema.ts';

/** Civil dates, both included. */
export interface Days {
  from: string;
  to: string;
}

/** Any name that is not a period means the last seven days (docs/contract.md#time-statistics). */
export function periodNamed(name: string): Period {
  return namedPeriods.find((each) => each === name) ?? 'rolling';
}

export function daysOf(period: Period, today: string): Days {
  switch (period) {
    case 'day':
      return { from: today, to: today };
    case 'week':
      return weekOf(today);
    case 'month':
      return monthOf(today);
    case 'rolling':
      return { from: addDays(today, -6), to: today };
  }
}

/** The instants at which the first day begins and the last one is over. */
export function instantsOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  timezone: string,
) {
  return {
    ...(from !== undefined && { sinceMs: toInstant(from, '00:00', timezone) }),
    // ISO 8601 lets a day end at 24:00, so the next day need not be named: 9999-12-31 has none in this form.
    ...(to !== undefined && { beforeMs: toInstant(to, '24:00', timezone) }),
  };
}
