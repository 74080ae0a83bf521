import { getDateFormat } from '../../kernel/dates/date-format.ts';
import { parseRule } from './rrule-text.ts';

const days: Readonly<Record<string, string>> = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
};
const units = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month' } as const;
const ordinals = ['', 'first', 'second', 'third', 'fourth', 'fifth'];
const suffixes = ['th', 'st', 'nd', 'rd'];
const WORKDAYS = 'MO,TU,WE,TH,FR';

/** Returns text such as "every other week on Tuesday, until 30 June 2026". */
export function describeRule(text: string): string {
  const { frequency, interval, days: named, monthDays, count, until } = parseRule(text);
  const unit = units[frequency];
  const every = interval === 1 ? 'every' : interval === 2 ? 'every other' : `every ${interval}`;
  const period = `${every} ${interval > 2 ? `${unit}s` : unit}`;
  const isWorkdays = named.map(({ day }) => day).join(',') === WORKDAYS && interval === 1;
  const on =
    named.length > 0
      ? `on ${joinWithAnd(named.map(({ nth, day }) => (nth === null ? days[day] : `the ${toOrdinal(nth)} ${days[day]}`)))}`
      : monthDays.length > 0
        ? `on ${joinWithAnd(monthDays.map((day) => (day < 0 ? `the ${toOrdinal(day)} day` : `day ${day}`)))}`
        : '';
  const isWeekly = frequency === 'WEEKLY' && interval === 1 && named.length > 0;
  const start =
    isWorkdays && frequency !== 'MONTHLY'
      ? 'every weekday'
      : isWeekly
        ? on.replace('on', 'every')
        : [period, on].filter(Boolean).join(' ');
  if (count !== null) return `${start}, ${count} ${count === 1 ? 'time' : 'times'}`;
  return until === null ? start : `${start}, until ${formatDate(until.date)}`;
}

function toOrdinal(nth: number): string {
  if (nth === -1) return 'last';
  if (nth < 0) return `${toOrdinal(-nth)}-to-last`;
  return ordinals[nth] ?? `${nth}${(nth > 20 && suffixes[nth % 10]) || 'th'}`;
}

function joinWithAnd(parts: readonly (string | undefined)[]): string {
  const [last = '', ...before] = [...parts].reverse();
  return before.length === 0 ? last : `${before.reverse().join(', ')} and ${last}`;
}

function formatDate(date: string): string {
  return getDateFormat('en-GB', { timeZone: 'UTC', dateStyle: 'long' }).format(new Date(`${date}T00:00:00Z`));
}
