import { DAY_MS } from '../../kernel/dates/durations.ts';
import type { RecurrenceRule } from './rrule-text.ts';

export const YEARS_AHEAD_MAX = 10;
export const DAYS_AHEAD_MAX = 3653;

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

export interface RuleDays {
  /** Returns the first day on or after `from`, or null if there is none within `YEARS_AHEAD_MAX`. */
  next(from: string): string | null;
  /** Returns the last day on or before `until`, or null if there is none within `YEARS_AHEAD_MAX`. */
  previous(until: string): string | null;
  /** Yields the days after the first date as numbers (`Day.number`), until none follows within `YEARS_AHEAD_MAX`. */
  following(): Iterable<number>;
}

interface Day {
  /** Days since 1970-01-01, a Thursday. */
  number: number;
  month: number;
  dayOfMonth: number;
  lastOfMonth: number;
  /** 0 is Monday. */
  weekday: number;
}

interface AllowedDays {
  weekdays: ReadonlySet<number>;
  monthDays: ReadonlySet<number>;
}

/** Checks up to `DAYS_AHEAD_MAX` days, because a search without a limit would run until the year 9999. */
export function createRuleDays(rule: RecurrenceRule, firstDate: string): RuleDays {
  const first = toDay(toDayNumber(firstDate));
  const allowed = {
    weekdays: new Set(rule.days.map(({ day, nth }) => toWeekdayKey(weekdays.indexOf(day), nth))),
    monthDays: new Set(rule.monthDays),
  };
  const isOccurrence = (day: Day) =>
    day.number >= first.number && isInPeriod(rule, first, day) && isAllowedDay(rule, allowed, first, day);
  const search = (from: Day, step: (day: Day) => Day): Day | null => {
    let day = from;
    for (let steps = 0; steps <= DAYS_AHEAD_MAX; steps += 1) {
      if (isOccurrence(day)) return day;
      day = step(day);
    }
    return null;
  };
  const toDateOrNull = (day: Day | null) => day && toCivilDate(day.number);
  return {
    next: (from) => toDateOrNull(search(toDay(Math.max(toDayNumber(from), first.number)), getNextDay)),
    previous: (until) => toDateOrNull(search(toDay(toDayNumber(until)), getPreviousDay)),
    *following() {
      for (let day = search(getNextDay(first), getNextDay); day; day = search(getNextDay(day), getNextDay)) {
        yield day.number;
      }
    },
  };
}

/** Returns whether INTERVAL includes the day, week or month, counted from the first day. Weeks start on Monday. */
function isInPeriod({ frequency, interval }: RecurrenceRule, first: Day, day: Day): boolean {
  if (frequency === 'DAILY') return (day.number - first.number) % interval === 0;
  if (frequency === 'MONTHLY') return (day.month - first.month) % interval === 0;
  return Math.floor((day.number - first.number + first.weekday) / 7) % interval === 0;
}

/**
 * Without BYDAY or BYMONTHDAY, a weekly rule repeats on the weekday of the first occurrence, and a monthly rule on the
 * same day of each month.
 */
function isAllowedDay({ frequency }: RecurrenceRule, allowed: AllowedDays, first: Day, day: Day): boolean {
  const { dayOfMonth, lastOfMonth, weekday } = day;
  if (allowed.weekdays.size === 0 && allowed.monthDays.size === 0) {
    if (frequency === 'WEEKLY') return weekday === first.weekday;
    return frequency === 'DAILY' || dayOfMonth === first.dayOfMonth;
  }
  const nth = Math.ceil(dayOfMonth / 7);
  const nthFromEnd = -Math.ceil((lastOfMonth - dayOfMonth + 1) / 7);
  const { weekdays: named } = allowed;
  const byDay =
    named.has(toWeekdayKey(weekday, null)) ||
    named.has(toWeekdayKey(weekday, nth)) ||
    named.has(toWeekdayKey(weekday, nthFromEnd));
  const byMonthDay = allowed.monthDays.has(dayOfMonth) || allowed.monthDays.has(dayOfMonth - lastOfMonth - 1);
  return (allowed.weekdays.size === 0 || byDay) && (allowed.monthDays.size === 0 || byMonthDay);
}

function toWeekdayKey(weekday: number, nth: number | null): number {
  return weekday * 100 + (nth ?? 0);
}

function toDay(number: number): Day {
  const date = new Date(number * DAY_MS);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  return {
    number,
    month,
    dayOfMonth: date.getUTCDate(),
    lastOfMonth: getLastDayOfMonth(month),
    weekday: (((number + 3) % 7) + 7) % 7,
  };
}

function getLastDayOfMonth(month: number): number {
  return new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate();
}

function getNextDay({ number, month, dayOfMonth, lastOfMonth, weekday }: Day): Day {
  const next = { number: number + 1, weekday: (weekday + 1) % 7 };
  return dayOfMonth < lastOfMonth
    ? { ...next, month, dayOfMonth: dayOfMonth + 1, lastOfMonth }
    : { ...next, month: month + 1, dayOfMonth: 1, lastOfMonth: getLastDayOfMonth(month + 1) };
}

function getPreviousDay({ number }: Day): Day {
  return toDay(number - 1);
}

export function toDayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

export function toCivilDate(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}
