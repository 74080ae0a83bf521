import type { SeriesRule } from '../recurrence/start-series.ts';
import { findWeekday } from './parse-day.ts';

const weekdayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const phrasesByAdverb: Readonly<Record<string, string>> = {
  daily: 'every day',
  weekly: 'every week',
  monthly: 'every month',
  yearly: 'every year',
  weekdays: 'every weekday',
};
const unitNames = ['day', 'week', 'month', 'year'] as const;
const AFTER_COMPLETION = / after completion$/;
/** Nine years, because a recurring task needs its next date within ten years. */
const MONTHS_MAX = 108;
const MONTH_DAYS_MAX = 31;
const ordinals: Readonly<Record<string, number>> = { first: 1, '1st': 1, third: 3, '3rd': 3, last: -1 };

/**
 * Parses text such as "daily", "every 2 weeks on mon and thu", "every last friday", "every 15th" and "every 3 days
 * after completion". Returns null for anything else.
 */
export function parseRepeat(phrase: string): SeriesRule | null {
  const words = phrase.toLowerCase().split(/\s+/).join(' ');
  const text = words.replace(AFTER_COMPLETION, '');
  const isAfterCompletion = text !== words;
  const every = (Object.hasOwn(phrasesByAdverb, text) && phrasesByAdverb[text]) || text;
  if (!every.startsWith('every ')) return null;
  const rest = every.slice('every '.length);
  if (!isAfterCompletion) {
    const rule = parsePeriod(rest)?.rule ?? parseDays(rest);
    return rule === null ? null : { rule, mode: 'schedule', days: null };
  }
  const period = parsePeriod(rest);
  return period && { rule: period.rule, mode: 'completion', days: period.days };
}

/** "Every second Friday" can mean every other Friday or the second Friday of each month. */
export function isUnclearRepeat(phrase: string): boolean {
  const [, day = ''] = /^every\s+(?:second|2nd)\s+(\S+)$/i.exec(phrase) ?? [];
  return findWeekday(day.toLowerCase()) !== null;
}

/** `days` is null for months and years, which have no fixed number of days. */
function parsePeriod(text: string): { rule: string; days: number | null } | null {
  const found = /^(?:(other|second|\d{1,2}) )?(day|week|month|year)s?$/.exec(text);
  if (!found) return null;
  const amount = parseAmount(found[1]);
  const unit = unitNames.find((each) => each === found[2]);
  if (amount < 1) return null;
  if (unit === 'day') return { rule: buildRule('DAILY', amount), days: amount };
  if (unit === 'week') return { rule: buildRule('WEEKLY', amount), days: amount * 7 };
  const months = unit === 'year' ? amount * 12 : amount;
  return months > MONTHS_MAX ? null : { rule: buildRule('MONTHLY', months), days: null };
}

function parseDays(text: string): string | null {
  if (text === 'weekday' || text === 'workday') return buildRule('WEEKLY', 1, 'BYDAY=MO,TU,WE,TH,FR');
  const monthDay = parseMonthDay(text);
  if (monthDay !== null) return buildRule('MONTHLY', 1, `BYMONTHDAY=${monthDay}`);
  const weekly = /^(?:(other|second|\d{1,2}) weeks? on |week on |(other) )?(.+)$/.exec(text);
  const amount = parseAmount(weekly?.[1] ?? weekly?.[2]);
  const codes = parseWeekdays(weekly?.[3] ?? '');
  if (codes !== null) return amount < 1 ? null : buildRule('WEEKLY', amount, `BYDAY=${codes.join(',')}`);
  const [, ordinal = '', name = ''] = /^(?:month on the )?(\S+) (\S+)$/.exec(text) ?? [];
  const [code] = parseWeekdays(name) ?? [];
  if (code === undefined || !Object.hasOwn(ordinals, ordinal)) return null;
  return buildRule('MONTHLY', 1, `BYDAY=${ordinals[ordinal]}${code}`);
}

function parseMonthDay(text: string): number | null {
  if (/^(?:month on the )?last day$/.test(text)) return -1;
  const [, digits = ''] = /^(?:month on the )?(\d{1,2})(?:st|nd|rd|th)$/.exec(text) ?? [];
  const day = Number(digits);
  return day >= 1 && day <= MONTH_DAYS_MAX ? day : null;
}

function parseWeekdays(text: string): string[] | null {
  const days = text.split(/ and | ?& ?|\/| /).map(findWeekday);
  if (days.includes(null)) return null;
  return weekdayCodes.filter((_, index) => days.includes(index));
}

function parseAmount(text: string | undefined): number {
  if (text === undefined) return 1;
  return text === 'other' || text === 'second' ? 2 : Number(text);
}

function buildRule(frequency: string, interval: number, days?: string): string {
  return [`FREQ=${frequency}`, interval > 1 && `INTERVAL=${interval}`, days].filter(Boolean).join(';');
}
