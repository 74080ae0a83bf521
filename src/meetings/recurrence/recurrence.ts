import { addDays, countDaysBetween, toWallClock } from '../../kernel/dates/civil-date.ts';
import { quoteValue } from '../../kernel/errors/describe-parse-error.ts';
import { type AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { parseRule, type RecurrenceRule } from './rrule-text.ts';
import {
  createRuleDays,
  DAYS_AHEAD_MAX,
  type RuleDays,
  toCivilDate,
  toDayNumber,
  YEARS_AHEAD_MAX,
} from './rule-days.ts';

export interface FirstOccurrence {
  date: string;
  time: string;
  /** The IANA time zone, which is needed if UNTIL is in UTC. */
  timezone: string;
}

export interface Series {
  /** Returns the first day whose occurrence starts after this local time, or null if there is none. */
  dayAfter(moment: { date: string; time: string }): string | null;
  lastDay(): string;
  /** Both dates are inclusive. */
  daysWithin(from: string, to: string): string[];
}

/** The first occurrence is always part of the series and counts toward COUNT. */
export function parseStoredSeries(text: string, first: FirstOccurrence): Series {
  const rule = parseRule(text);
  const days = createRuleDays(rule, first.date);
  return rule.count === null
    ? createUntilSeries(days, first, findLastDate(rule, first))
    : createCountedSeries(days, first, rule.count);
}

export function parseNewSeries(text: string, first: FirstOccurrence, today: string): Series {
  const rule = parseRule(text);
  if (Math.abs(countDaysBetween(first.date, today)) > DAYS_AHEAD_MAX) {
    throw invalidRequestError(
      `date of a recurring meeting must be within ${YEARS_AHEAD_MAX} years of today; got '${first.date}'`,
      'date',
    );
  }
  const last = findLastDate(rule, first);
  if (last !== null && last < first.date)
    throw invalidRecurrenceError(text, 'ends before it starts: UNTIL is before the first occurrence');
  const days = createRuleDays(rule, first.date);
  const earliest = days.next(first.date);
  if (earliest === null || (last !== null && earliest > last)) {
    throw invalidRecurrenceError(
      text,
      `has no occurrence on or after ${first.date} within ${YEARS_AHEAD_MAX} years`,
    );
  }
  const endsSoon = last !== null && countDaysBetween(first.date, last) <= DAYS_AHEAD_MAX;
  if (rule.count !== 1 && !endsSoon && days.next(addDays(first.date, 1)) === null) {
    throw invalidRecurrenceError(text, `does not repeat within ${YEARS_AHEAD_MAX} years`);
  }
  return parseStoredSeries(text, first);
}

function createUntilSeries(days: RuleDays, first: FirstOccurrence, last: string | null): Series {
  return {
    dayAfter(moment) {
      const next = days.next(findFirstStartDate(moment, first));
      return next !== null && (last === null || next <= last) ? next : null;
    },
    lastDay: () => (last === null ? null : days.previous(last)) ?? first.date,
    daysWithin(from, to) {
      const end = last !== null && last < to ? last : to;
      const found = from <= first.date && first.date <= to ? [first.date] : [];
      let day = from > end ? null : days.next(from > first.date ? from : addDays(first.date, 1));
      for (; day !== null && day <= end; day = days.next(addDays(day, 1))) found.push(day);
      return found;
    },
  };
}

function createCountedSeries(days: RuleDays, first: FirstOccurrence, count: number): Series {
  const listDays = function* () {
    yield toDayNumber(first.date);
    let left = count - 1;
    if (left === 0) return;
    for (const day of days.following()) {
      yield day;
      left -= 1;
      if (left === 0) return;
    }
  };
  return {
    dayAfter(moment) {
      const from = toDayNumber(findFirstStartDate(moment, first));
      for (const day of listDays()) if (day >= from) return toCivilDate(day);
      return null;
    },
    lastDay: () => toCivilDate([...listDays()].at(-1) ?? 0),
    daysWithin(from, to) {
      const [start, end] = [toDayNumber(from), toDayNumber(to)];
      const found: string[] = [];
      for (const day of listDays()) {
        if (day > end) break;
        if (day >= start) found.push(toCivilDate(day));
      }
      return found;
    },
  };
}

function findFirstStartDate(moment: { date: string; time: string }, { time }: FirstOccurrence): string {
  return time > moment.time ? moment.date : addDays(moment.date, 1);
}

export function findLastDate({ until }: RecurrenceRule, { time, timezone }: FirstOccurrence): string | null {
  if (until === null) return null;
  const end = until.isUtc ? toWallClock(Date.parse(`${until.date}T${until.time}:00Z`), timezone) : until;
  return time <= end.time ? end.date : addDays(end.date, -1);
}

function invalidRecurrenceError(text: string, reason: string): AppError {
  return invalidRequestError(
    `recurrence ${quoteValue(text)} ${reason}; change the rule or the date`,
    'recurrence',
  );
}
