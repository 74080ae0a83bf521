import type { Rule } from './rrule-text.ts';

export const YEARS_AHEAD_MAX = 10;
export const DAYS_AHEAD_MAX = 3653;

const DAY_MS = 86_400_000;
const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** The days of a rule, without its COUNT and UNTIL. */
export interface RuleDays {
  /** The first one from a date on; null if there is none within `YEARS_AHEAD_MAX`. */
  next(from: string): string | null;
  /** The last one until a date; null if there was none within as many years before it. */
  previous(until: string): string | null;
}

/** A day as numbers: cheap to step through. */
interface Day {
  /** Days since 1970-01-01, a Thursday. */
  number: number;
  /** Months since the year 0. */
  month: number;
  dayOfMonth: number;
  lastOfMonth: number;
  /** 0 is Monday. */
  weekday: number;
}

/**
 * Looks at one day after the other, so that no rule takes more than `DAYS_AHEAD_MAX` steps. A day of the rule may never
 * come, and an unlimited search would go on until the year 9999.
 */
export function daysOf(rule: Rule, firstDate: string): RuleDays {
  const first = describe(numberOf(firstDate));
  const isOn = (number: number) => {
    if (number < first.number) return false;
    const day = describe(number);
    return isInPeriod(rule, first, day) && isNamed(rule, first, day);
  };
  const search = (from: number, step: 1 | -1): string | null => {
    for (let steps = 0; steps <= DAYS_AHEAD_MAX; steps += 1) {
      const number = from + steps * step;
      if (isOn(number)) return dateOf(number);
    }
    return null;
  };
  return {
    next: (from) => search(Math.max(numberOf(from), first.number), 1),
    previous: (until) => search(numberOf(until), -1),
  };
}

/** Every n days, weeks from Monday, or months, from the first on. */
function isInPeriod({ frequency, interval }: Rule, first: Day, day: Day): boolean {
  if (frequency === 'DAILY') return (day.number - first.number) % interval === 0;
  if (frequency === 'MONTHLY') return (day.month - first.month) % interval === 0;
  return Math.floor((day.number - first.number + first.weekday) / 7) % interval === 0;
}

/** Whether BYDAY and BYMONTHDAY take the day; without either it is the weekday or the day of the month of the first. */
function isNamed({ frequency, days, monthDays }: Rule, first: Day, day: Day): boolean {
  const { dayOfMonth, lastOfMonth } = day;
  if (days.length === 0 && monthDays.length === 0) {
    if (frequency === 'WEEKLY') return day.weekday === first.weekday;
    return frequency === 'DAILY' || dayOfMonth === first.dayOfMonth;
  }
  const name = weekdays[day.weekday];
  const nth = Math.ceil(dayOfMonth / 7);
  const nthFromEnd = -Math.ceil((lastOfMonth - dayOfMonth + 1) / 7);
  const byDay = days.some(
    (each) => each.day === name && (each.nth === null || each.nth === nth || each.nth === nthFromEnd),
  );
  const byMonthDay = monthDays.includes(dayOfMonth) || monthDays.includes(dayOfMonth - lastOfMonth - 1);
  return (days.length === 0 || byDay) && (monthDays.length === 0 || byMonthDay);
}

function describe(number: number): Day {
  const date = new Date(number * DAY_MS);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return {
    number,
    month: year * 12 + month,
    dayOfMonth: date.getUTCDate(),
    lastOfMonth: new Date(Date.UTC(year, month + 1, 0)).getUTCDate(),
    weekday: (((number + 3) % 7) + 7) % 7,
  };
}

function numberOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

function dateOf(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}
