import { addDays, isCivilDate, toInstant, toWallClock } from '../../kernel/dates/civil-date.ts';

export type DateOrder = 'dmy' | 'mdy';

interface SourceDate {
  readonly date: string;
  readonly time: string | null;
}

interface DateOptions {
  readonly order: DateOrder;
  /** Values with their own time zone are converted to this one. */
  readonly timezone: string;
}

/** The beginnings of month names in the languages of common exports, without accents. */
const MONTHS = [
  'jan|gen|ene|sty',
  'feb|fev|fevr|lut',
  'mar|mrz|maer|maa|mrt',
  'apr|avr|abr|kwi',
  'may|mai|mag|maj|mei',
  'jun|juin|giu|cze',
  'jul|juil|lug|lip',
  'aug|aou|ago|sie',
  'sep|set|wrz',
  'oct|okt|ott|out|paz',
  'nov|lis',
  'dec|dez|dic|gru',
].map((names) => names.split('|'));

const CLOCK_PATTERN = /(?:^|[\sT,])(\d{1,2})[:.h](\d{2})(?:[:.]\d{2}(?:[.,]\d+)?)?\s*([ap])?\.?(?:m\.?)?/i;
const ISO_DATE_PATTERN = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/;
const NUMERIC_DATE_PATTERN = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?!\d)/;
const DAY_FIRST_PATTERN =
  /(?:^|[\s,])(\d{1,2})(?:st|nd|rd|th|er|\.)?(?:\s+de)?[\s/.-]+(\p{L}{3,})\.?,?(?:\s+de)?[\s/.-]+(\d{4}|\d{2})(?!\d|:)/u;
const MONTH_FIRST_PATTERN = /(?:^|[\s,])(\p{L}{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)/u;
const OFFSET_PATTERN = /^\s*(?:Z|GMT|UTC|(?:GMT|UTC)?\s?([+-])(\d{2}):?(\d{2}))(?:\s*\(.*\))?$/;
const DATE_CHARACTERS_MAX = 100;

/** Spreadsheet serial numbers for the days from 1982 to 2119. */
const SERIAL_DAY_PATTERN = /^([3-7]\d{4})(?:[.,]\d+)?$/;
const SERIAL_EPOCH = '1899-12-30';

export function parseDate(text: string, { order, timezone }: DateOptions): SourceDate | null {
  const written = text.trim();
  if (written.length > DATE_CHARACTERS_MAX) return null;
  const serial = SERIAL_DAY_PATTERN.exec(written);
  if (serial) return { date: addDays(SERIAL_EPOCH, Number(serial[1])), time: null };
  const date = parseDay(toPlainLetters(written), order);
  if (date === null) return null;
  const clock = parseClock(written.replace(ISO_DATE_PATTERN, ' ').replace(NUMERIC_DATE_PATTERN, ' '));
  if (!clock) return { date, time: null };
  const offset = parseOffset(clock.rest);
  if (offset === null) return { date, time: clock.time };
  return toWallClock(toInstant(date, clock.time, 'UTC') - offset * 60_000, timezone);
}

/**
 * Returns `dmy` or `mdy` if one of the dates can be read only in that order. Otherwise, returns `ambiguous` if the
 * order changes one of the dates, and null if the order doesn't matter.
 */
export function findDateOrder(texts: Iterable<string>): DateOrder | 'ambiguous' | null {
  let isAmbiguous = false;
  for (const text of texts) {
    const [, first, second] = NUMERIC_DATE_PATTERN.exec(text.trim()) ?? [];
    if (first === undefined) continue;
    if (Number(first) > 12) return 'dmy';
    if (Number(second) > 12) return 'mdy';
    isAmbiguous ||= first !== second;
  }
  return isAmbiguous ? 'ambiguous' : null;
}

function parseDay(text: string, order: DateOrder): string | null {
  const iso = ISO_DATE_PATTERN.exec(text);
  if (iso) return buildDate(iso[1], Number(iso[2]), Number(iso[3]));
  const numeric = NUMERIC_DATE_PATTERN.exec(text);
  if (numeric) {
    const [first, second] = [Number(numeric[1]), Number(numeric[2])];
    return order === 'dmy' ? buildDate(numeric[3], second, first) : buildDate(numeric[3], first, second);
  }
  const monthFirst = MONTH_FIRST_PATTERN.exec(text);
  if (monthFirst) return buildDate(monthFirst[3], findMonth(monthFirst[1]), Number(monthFirst[2]));
  const dayFirst = DAY_FIRST_PATTERN.exec(text);
  return dayFirst ? buildDate(dayFirst[3], findMonth(dayFirst[2]), Number(dayFirst[1])) : null;
}

function findMonth(name = ''): number {
  return 1 + MONTHS.findIndex((starts) => starts.some((start) => name.toLowerCase().startsWith(start)));
}

/** Some products export an empty date as 0001-01-01. */
function buildDate(year = '', month: number, day: number): string | null {
  const full = year.length === 2 ? `${Number(year) < 70 ? '20' : '19'}${year}` : year;
  const date = `${full}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  return full !== '0001' && isCivilDate(date) ? date : null;
}

function parseClock(text: string): { time: string; rest: string } | null {
  const found = CLOCK_PATTERN.exec(text);
  const [, hours, minutes, half] = found ?? [];
  if (!found || hours === undefined) return null;
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours);
  if (hour >= 24 || Number(minutes) >= 60) return null;
  const time = `${String(hour).padStart(2, '0')}:${minutes}`;
  return { time, rest: text.slice(found.index + found[0].length) };
}

function parseOffset(text: string): number | null {
  const found = OFFSET_PATTERN.exec(text);
  if (!found) return null;
  const [, sign, hours = 0, minutes = 0] = found;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function toPlainLetters(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}
