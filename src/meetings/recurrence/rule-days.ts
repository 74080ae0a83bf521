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
  /** Those behind the first date in order, as numbers; ends where none comes within `YEARS_AHEAD_MAX`. */
  following(): Iterable<number>;
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

/** What BYDAY and BYMONTHDAY take. */
interface Taken {
  /** Of `placeOf`. */
  weekdays: ReadonlySet<number>;
  monthDays: ReadonlySet<number>;
}

/**
 * Looks at one day after the other, so that no rule takes more than `DAYS_AHEAD_MAX` steps. A day of the rule may never
 * come, and an unlimited search would go on until the year 9999.
 */
export function daysOf(rule: Rule, firstDate: string): RuleDays {
  const first = describe(numberOf(firstDate));
  const taken = {
    weekdays: new Set(rule.days.map(({ day, nth }) => placeOf(weekdays.indexOf(day), nth))),
    monthDays: new Set(rule.monthDays),
  };
  const isOn = (day: Day) =>
    day.number >= first.number && isInPeriod(rule, first, day) && isNamed(rule, taken, first, day);
  const search = (from: Day, step: (day: Day) => Day): Day | null => {
    let day = from;
    for (let steps = 0; steps <= DAYS_AHEAD_MAX; steps += 1) {
      if (isOn(day)) return day;
      day = step(day);
    }
    return null;
  };
  const dateOfFound = (day: Day | null) => day && dateOf(day.number);
  return {
    next: (from) => dateOfFound(search(describe(Math.max(numberOf(from), first.number)), dayAfter)),
    previous: (until) => dateOfFound(search(describe(numberOf(until)), dayBefore)),
    *following() {
      for (let day = search(dayAfter(first), dayAfter); day; day = search(dayAfter(day), dayAfter)) {
        yield day.number;
      }
    },
  };
}

/** Every n days, weeks from Monday, or months, from the first on. */
function isInPeriod({ frequency, interval }: Rule, first: Day, day: Day): boolean {
  if (frequency === 'DAILY') return (day.number - first.number) % interval === 0;
  if (frequency === 'MONTHLY') return (day.month - first.month) % interval === 0;
  return Math.floor((day.number - first.number + first.weekday) / 7) % interval === 0;
}

/** Whether BYDAY and BYMONTHDAY take the day; without either it is the weekday or the day of the month of the first. */
function isNamed({ frequency }: Rule, taken: Taken, first: Day, day: Day): boolean {
  const { dayOfMonth, lastOfMonth, weekday } = day;
  if (taken.weekdays.size === 0 && taken.monthDays.size === 0) {
    if (frequency === 'WEEKLY') return weekday === first.weekday;
    return frequency === 'DAILY' || dayOfMonth === first.dayOfMonth;
  }
  const nth = Math.ceil(dayOfMonth / 7);
  const nthFromEnd = -Math.ceil((lastOfMonth - dayOfMonth + 1) / 7);
  const { weekdays: named } = taken;
  const byDay =
    named.has(placeOf(weekday, null)) ||
    named.has(placeOf(weekday, nth)) ||
    named.has(placeOf(weekday, nthFromEnd));
  const byMonthDay = taken.monthDays.has(dayOfMonth) || taken.monthDays.has(dayOfMonth - lastOfMonth - 1);
  return (taken.weekdays.size === 0 || byDay) && (taken.monthDays.size === 0 || byMonthDay);
}

/** A number for "the nth such weekday of its month", and for any such weekday where `nth` is null. */
function placeOf(weekday: number, nth: number | null): number {
  return weekday * 100 + (nth ?? 0);
}

function describe(number: number): Day {
  const date = new Date(number * DAY_MS);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  return {
    number,
    month,
    dayOfMonth: date.getUTCDate(),
    lastOfMonth: lastOf(month),
    weekday: (((number + 3) % 7) + 7) % 7,
  };
}

function lastOf(month: number): number {
  return new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate();
}

function dayAfter({ number, month, dayOfMonth, lastOfMonth, weekday }: Day): Day {
  const next = { number: number + 1, weekday: (weekday + 1) % 7 };
  return dayOfMonth < lastOfMonth
    ? { ...next, month, dayOfMonth: dayOfMonth + 1, lastOfMonth }
    : { ...next, month: month + 1, dayOfMonth: 1, lastOfMonth: lastOf(month + 1) };
}

function dayBefore({ number }: Day): Day {
  return describe(number - 1);
}

/** Days since 1970-01-01. */
export function numberOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / DAY_MS;
}

export function dateOf(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}
