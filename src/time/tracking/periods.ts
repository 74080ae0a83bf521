import { addDays, getMonthRange, getWeekRange } from '../../kernel/dates/civil-date.ts';
import { namedPeriods, type TimePeriod } from './time-tracking.schema.ts';

/** Both days are inclusive. */
export interface PeriodDays {
  from: string;
  to: string;
}

/** An unknown name means the last seven days (docs/contract.md#time-statistics). */
export function parsePeriod(name: string): TimePeriod {
  return namedPeriods.find((each) => each === name) ?? 'rolling';
}

export function getPeriodDays(period: TimePeriod, today: string): PeriodDays {
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
