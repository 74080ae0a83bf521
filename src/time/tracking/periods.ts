import { addDays, getMonthRange, getWeekRange, toInstant } from '../../kernel/dates/civil-date.ts';
import { namedPeriods, type Period } from './time-tracking.schema.ts';

/** Both days are included. */
export interface PeriodDays {
  from: string;
  to: string;
}

/** An unknown name means the last seven days (docs/contract.md#time-statistics). */
export function parsePeriod(name: string): Period {
  return namedPeriods.find((each) => each === name) ?? 'rolling';
}

export function getPeriodDays(period: Period, today: string): PeriodDays {
  switch (period) {
    case 'day':
      return { from: today, to: today };
    case 'week':
      return getWeekRange(today);
    case 'month':
      return getMonthRange(today);
    case 'rolling':
      return { from: addDays(today, -6), to: today };
  }
}

export function toInstantRange(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  timezone: string,
) {
  return {
    ...(from !== undefined && { sinceMs: toInstant(from, '00:00', timezone) }),
    // ISO 8601 allows 24:00. The next day at 00:00 would fail for 9999-12-31, the last valid date.
    ...(to !== undefined && { beforeMs: toInstant(to, '24:00', timezone) }),
  };
}
