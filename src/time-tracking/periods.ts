import { addDays, monthOf, toInstant, weekOf } from '../kernel/civil.ts';
import { namedPeriods, type Period } from './time-tracking.schema.ts';

/** Civil dates, both included. */
export interface Days {
  from: string;
  to: string;
}

/** Any name that is not a period means the last seven days (spec 4.8). */
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

/** Instants in milliseconds, the second one excluded. */
export function instantsOf({ from, to }: Partial<Days>, timezone: string) {
  return {
    ...(from !== undefined && { sinceMs: toInstant(from, '00:00', timezone) }),
    ...(to !== undefined && { beforeMs: toInstant(to, '24:00', timezone) }),
  };
}
