import { InvalidArgumentError } from 'commander';
import { addDays, isCivilDate } from '../../kernel/dates/civil-date.ts';
import { parseDay } from '../../tasks/quick-add/parse-day.ts';
import { priorities, statusLabels, type TaskPriority, type TaskStatus } from './task-text.ts';

/** The option value that clears a field. */
const NONE = 'none';
const SECONDS = { h: 3_600, m: 60, s: 1 } as const;
const DAY_SECONDS = 86_400;
const WEEKDAY_PATTERN = /^(mon|tue|wed|thu|fri|sat|sun)/;

/** The current date in this machine's time zone. */
export function getToday(now = new Date()): string {
  const pad = (part: number) => String(part).padStart(2, '0');
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
}

export function parseDate(text: string): string {
  const day = parsePastWords(text) ?? parseDay(text, getToday());
  if (day === null) throw new InvalidArgumentError('Use a date such as 2026-12-24, friday, +3d or 24 dec.');
  return day;
}

/** Weekdays and dates without a year mean today or an earlier day, because time entries can't be in the future. */
export function parsePastDate(text: string): string {
  const today = getToday();
  const day = parseDate(text);
  if (day <= today) return day;
  if (WEEKDAY_PATTERN.test(text.toLowerCase())) return addDays(day, -7);
  const lastYear = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
  if (/^(\d{1,2} [a-z]+|[a-z]+ \d{1,2})$/i.test(text) && isCivilDate(lastYear)) return lastYear;
  throw new InvalidArgumentError('Use today or an earlier day, such as 2026-11-24, monday, -3d or 24 nov.');
}

function parsePastWords(text: string): string | null {
  const [, days] = /^-(\d{1,3})d$/.exec(text) ?? [];
  if (days !== undefined) return addDays(getToday(), -Number(days));
  return text.toLowerCase() === 'yesterday' ? addDays(getToday(), -1) : null;
}

export function parseDateOrNone(text: string): string {
  return text.toLowerCase() === NONE ? NONE : parseDate(text);
}

export function parseHoursOrNone(text: string): string {
  if (text.toLowerCase() === NONE) return NONE;
  if (!/^\d{1,4}(\.\d{1,2})?$/.test(text))
    throw new InvalidArgumentError('Use a number of hours, such as 2.5, or none.');
  return text;
}

/** Returns null for `none`, and the converted value for any other text. */
export function convertUnlessNone<T>(text: string, convert: (text: string) => T): T | null {
  return text.toLowerCase() === NONE ? null : convert(text);
}

/** Accepts `In progress`, `in-progress` and `in_progress`. */
export function parseStatus(text: string): TaskStatus {
  const given = toKey(text);
  const statuses = Object.keys(statusLabels) as TaskStatus[];
  const status = statuses.find((each) => each === given || toKey(statusLabels[each]) === given);
  if (!status) throw new InvalidArgumentError(`Use one of ${statuses.join(', ')}.`);
  return status;
}

export function parseStatuses(
  text: string,
  earlier: readonly (TaskStatus | 'open')[] = [],
): (TaskStatus | 'open')[] {
  return [
    ...earlier,
    ...splitList(text).map((each) => (toKey(each) === 'open' ? ('open' as const) : parseStatus(each))),
  ];
}

export function parsePriority(text: string): TaskPriority {
  const priority = priorities.find((each) => each === toKey(text));
  if (!priority) throw new InvalidArgumentError(`Use one of ${priorities.join(', ')}.`);
  return priority;
}

function toKey(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
}

/** @param earlier the values from earlier uses of the same option. */
export function splitList(text: string, earlier: readonly string[] = []): string[] {
  const added = text.split(',').map((each) => each.trim());
  return [...earlier, ...added.filter((each) => each !== '')];
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('Use a whole number above 0.');
  return count;
}

/** Parses `1h30m`, `1h 30m`, `90m` and `1.5h` into seconds. */
export function parseDuration(text: string): number {
  const compact = text.toLowerCase().replace(/\s+/g, '');
  const isDuration = /^(\d+(\.\d+)?[hms])+$/.test(compact);
  const parts = isDuration ? [...compact.matchAll(/(\d+(?:\.\d+)?)([hms])/g)] : [];
  const seconds = Math.round(
    parts.reduce((sum, [, number, unit]) => sum + Number(number) * SECONDS[unit as keyof typeof SECONDS], 0),
  );
  if (seconds < 1 || seconds > DAY_SECONDS)
    throw new InvalidArgumentError('Use a duration of up to 24 hours, such as 1h30m, 45m or 1.5h.');
  return seconds;
}

/** Parses a time today, or a date and time, into milliseconds. Without an offset, uses this machine's time zone. */
export function parseInstant(text: string): number {
  const ms = /^\d{1,2}:\d{2}$/.test(text)
    ? Date.parse(`${getToday()}T${text.padStart(5, '0')}`)
    : isCivilDate(text.slice(0, 10)) && /^.{10}[T ]\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})?$/.test(text)
      ? Date.parse(text.replace(' ', 'T'))
      : Number.NaN;
  if (Number.isNaN(ms)) throw new InvalidArgumentError('Use a time such as 09:30 or 2026-12-01T09:30.');
  return ms;
}

export function formatDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}s`;
  return [minutes >= 60 && `${Math.floor(minutes / 60)}h`, minutes % 60 > 0 && `${minutes % 60}m`]
    .filter(Boolean)
    .join(' ');
}

export function formatLocalTime(timestamp: string): string {
  return new Date(timestamp).toLocaleString('sv').slice(0, 16);
}
