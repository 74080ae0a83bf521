import { getDateFormat } from './date-format.ts';
import { DAY_MS } from './durations.ts';

export function isCivilDate(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && toCivilDate(ms) === text;
}

export function addDays(date: string, days: number): string {
  return toCivilDate(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS);
}

export function countDaysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

function getIsoWeekday(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
}

export function getWeekRange(date: string): { from: string; to: string } {
  const monday = addDays(date, 1 - getIsoWeekday(date));
  return { from: monday, to: addDays(monday, 6) };
}

export function getNextMonday(date: string): string {
  return addDays(date, 8 - getIsoWeekday(date));
}

export function getMonthRange(date: string): { from: string; to: string } {
  const from = `${date.slice(0, 7)}-01`;
  const nextMonth = addDays(from, 31).slice(0, 7);
  return { from, to: addDays(`${nextMonth}-01`, -1) };
}

export function countWeekdays(from: string, to: string): number {
  const days = countDaysBetween(from, to) + 1;
  if (days <= 0) return 0;
  const rest = Array.from({ length: days % 7 }, (_, index) => getIsoWeekday(addDays(from, index)));
  return Math.floor(days / 7) * 5 + rest.filter((day) => day <= 5).length;
}

export function toWallClock(instantMs: number, timezone: string): { date: string; time: string } {
  const shifted = new Date(instantMs + getOffsetMs(instantMs, timezone)).toISOString();
  return { date: shifted.slice(0, 10), time: shifted.slice(11, 16) };
}

/** If daylight saving time skips the local time, returns a later instant. */
export function toInstant(date: string, time: string, timezone: string): number {
  const asUtc = Date.parse(`${date}T${time}:00Z`);
  const guess = asUtc - getOffsetMs(asUtc, timezone);
  const instant = asUtc - getOffsetMs(guess, timezone);
  return asUtc - getOffsetMs(instant, timezone) === instant ? instant : Math.max(guess, instant);
}

function getOffsetMs(instantMs: number, timezone: string): number {
  if (timezone === 'UTC') return 0;
  const parts = getDateFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instantMs);
  const getPart = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const local = Date.UTC(
    getPart('year'),
    getPart('month') - 1,
    getPart('day'),
    getPart('hour'),
    getPart('minute'),
    getPart('second'),
  );
  return local - Math.floor(instantMs / 1000) * 1000;
}

function toCivilDate(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
