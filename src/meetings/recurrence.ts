import { type Options, RRule, Weekday } from 'rrule';
import { daysBetween, wallClock, weekday } from '../kernel/civil.ts';
import { type AppError, invalidRequest } from '../kernel/errors.ts';
import { show } from '../kernel/explain.ts';
import { parseRule, type Rule } from './rrule-text.ts';

/** The first occurrence as the wall clock of the workspace shows it. */
export interface FirstOccurrence {
  date: string;
  time: string;
  /** IANA name of the zone that the wall clock is in, for an UNTIL in UTC. */
  timezone: string;
}

const YEARS_AHEAD_MAX = 10;
const DAYS_AHEAD_MAX = 3653;

const frequencies = { DAILY: RRule.DAILY, WEEKLY: RRule.WEEKLY, MONTHLY: RRule.MONTHLY } as const;
const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const WEEKS_OF_MONTH = [1, 2, 3, 4, 5];

/** The days on which a recurring meeting occurs. All at the time of day of the first. */
export interface Series {
  /** First day whose occurrence starts later than this moment of the wall clock; null where none comes. */
  dayAfter(moment: { date: string; time: string }): string | null;
  /** The last day of a series that ends. */
  lastDay(): string;
}

/** Reads a rule that was accepted before. The first occurrence is always part of it, and counts. */
export function readSeries(text: string, first: FirstOccurrence): Series {
  const rule = parseRule(text);
  const start = floating(first.date, first.time);
  const days = rruleOf(rule, first, start);
  return {
    dayAfter(moment) {
      const found = days?.after(floating(moment.date, moment.time));
      return found ? dayOf(found) : null;
    },
    lastDay() {
      const found = days?.before(floating('9999-12-31', '23:59'));
      return found && found > start ? dayOf(found) : first.date;
    },
  };
}

/** Reads a rule that somebody sends; refuses what cannot be read, never comes, or comes too rarely. */
export function acceptSeries(text: string, first: FirstOccurrence, today: string): Series {
  const rule = parseRule(text);
  if (Math.abs(daysBetween(first.date, today)) > DAYS_AHEAD_MAX) {
    throw invalidRequest(
      `date of a recurring meeting must lie within ${YEARS_AHEAD_MAX} years of today; got '${first.date}'`,
    );
  }
  const start = floating(first.date, first.time);
  const until = untilOf(rule, first);
  if (until && until < start)
    throw refuse(text, 'ends before it begins: UNTIL lies before the date and time');
  if (missesItsWeekdays(rule, first.date) || !new RRule(optionsOf(rule, first, start)).after(start, true)) {
    throw refuse(text, `never comes on or after ${first.date}`);
  }
  const series = readSeries(text, first);
  const second = series.dayAfter(first);
  const isFar = second !== null && daysBetween(first.date, second) > DAYS_AHEAD_MAX;
  if (isFar || (second === null && !rule.count && !rule.until)) {
    throw refuse(text, `does not come again within ${YEARS_AHEAD_MAX} years`);
  }
  return series;
}

function refuse(text: string, reason: string): AppError {
  return invalidRequest(`recurrence ${show(text)} ${reason}; change the rule or the date`);
}

/** Every n weeks to the day, on other weekdays: the library would look for them until the year 9999. */
function missesItsWeekdays({ frequency, interval, days }: Rule, date: string): boolean {
  const own = weekdays[weekday(date) - 1];
  return (
    frequency === 'DAILY' && interval % 7 === 0 && days.length > 0 && !days.some(({ day }) => day === own)
  );
}

/** Null where nothing follows the first occurrence, which uses the count up. */
function rruleOf(rule: Rule, first: FirstOccurrence, start: Date): RRule | null {
  const options = optionsOf(rule, first, start);
  if (rule.count === null) return new RRule(options, true);
  const isOnFirst = new RRule(options, true).after(start, true)?.getTime() === start.getTime();
  const count = isOnFirst ? rule.count : rule.count - 1;
  return count > 0 ? new RRule({ ...options, count }, true) : null;
}

/** Without the count. Wall-clock times stand for themselves, as if they were UTC, so that no zone shifts them. */
function optionsOf(rule: Rule, first: FirstOccurrence, start: Date): Partial<Options> {
  const until = untilOf(rule, first);
  const isNumbered = rule.days.some(({ nth }) => nth !== null);
  const byweekday = rule.days.flatMap(({ nth, day }) => {
    const index = weekdays.indexOf(day);
    // The library would intersect MO with 2TU; as 1MO to 5MO they add up.
    if (nth === null && isNumbered) return WEEKS_OF_MONTH.map((week) => new Weekday(index, week));
    return [nth === null ? new Weekday(index) : new Weekday(index, nth)];
  });
  return {
    freq: frequencies[rule.frequency],
    interval: rule.interval,
    dtstart: start,
    ...(byweekday.length > 0 && { byweekday }),
    ...(rule.monthDays.length > 0 && { bymonthday: rule.monthDays }),
    ...(until && { until }),
  };
}

function untilOf({ until }: Rule, { timezone }: FirstOccurrence): Date | null {
  if (until === null) return null;
  const moment = floating(until.date, until.time);
  if (!until.isUtc) return moment;
  const local = wallClock(moment.getTime(), timezone);
  return floating(local.date, local.time);
}

function floating(date: string, time: string): Date {
  return new Date(`${date}T${time}:00Z`);
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
