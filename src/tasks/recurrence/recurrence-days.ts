import { addDays, countDaysBetween, toInstant, toWallClock } from '../../kernel/dates/civil-date.ts';
import { findLastDate } from '../../meetings/recurrence/recurrence.ts';
import { parseRule } from '../../meetings/recurrence/rrule-text.ts';
import { createRuleDays } from '../../meetings/recurrence/rule-days.ts';
import type { RecurrenceMode } from '../../schema/cell/recurrences.ts';

/* These functions only compute dates and read no rows, so that a test can simulate decades of a series in seconds. */

export interface Series {
  rule: string;
  mode: RecurrenceMode;
  days: number | null;
  first_day: string;
  slot: string;
  occurrence: number;
}

/**
 * Returns the day of the next task, or null if the series ends. `today` is the current day in the workspace's time
 * zone.
 */
export function findNextDay(series: Series, today: string, timezone: string): string | null {
  const { rule: text, mode, days, first_day: first, slot, occurrence } = series;
  const rule = parseRule(text);
  if (rule.count !== null && occurrence >= rule.count) return null;
  const handled = mode === 'completion' && today > slot ? today : slot;
  const day = days === null ? createRuleDays(rule, first).next(addDays(handled, 1)) : addDays(today, days);
  const last = findLastDate(rule, { date: first, time: '00:00', timezone });
  return day !== null && (last === null || day <= last) ? day : null;
}

/**
 * Returns when to create the next task, which is the start of the current task's day. Returns null if completing the
 * task creates the next one.
 */
export function getNextTaskTime(
  { mode, slot }: Pick<Series, 'mode' | 'slot'>,
  timezone: string,
): number | null {
  return mode === 'schedule' ? toInstant(slot, '00:00', timezone) : null;
}

/**
 * Decides whether the `repeatTasks` cron job creates the next task now. After a time zone change, the stored time can
 * be too early. The job then waits until the day begins.
 */
export function planDueSeries(
  series: Series,
  now: number,
  timezone: string,
): { waitUntil: number } | { day: string | null } {
  const today = toWallClock(now, timezone).date;
  const begins = toInstant(series.slot, '00:00', timezone);
  if (today < series.slot && begins > now) return { waitUntil: begins };
  return { day: findNextDay(series, today, timezone) };
}

/** Moves a date by as many days as the deadline moves. Returns null if the result isn't a valid date. */
export function moveDate(date: string | null, from: string, to: string): string | null {
  if (date === null) return null;
  const day = addDays(date, countDaysBetween(from, to));
  return /^\d{4}-/.test(day) ? day : null;
}

/** Returns yesterday for an older deadline, so that no tasks are created for the days before today. */
export function findFirstSlot(deadline: string | null, today: string): string {
  if (deadline === null) return today;
  const yesterday = addDays(today, -1);
  return deadline < yesterday ? yesterday : deadline;
}
