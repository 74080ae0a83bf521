import QuickLRU from 'quick-lru';
import { countDaysBetween } from '../../kernel/dates/civil-date.ts';
import { getDateFormat } from '../../kernel/dates/date-format.ts';

export function getDueState(date: string, today: string): 'overdue' | 'today' | 'later' {
  const days = countDaysBetween(today, date);
  return days < 0 ? 'overdue' : days === 0 ? 'today' : 'later';
}

export function formatRelativeDay(date: string, today: string): string {
  const days = countDaysBetween(today, date);
  if (days === 0) return 'Today';
  if (days === 1) return 'Tomorrow';
  if (days === -1) return 'Yesterday';
  if (days > 1 && days < 7) return formatDate(date, 'weekday');
  return formatShortDate(date, today);
}

export function formatShortDate(date: string, today: string): string {
  const isThisYear = date.slice(0, 4) === today.slice(0, 4);
  return formatDate(date, isThisYear ? 'short' : 'shortWithYear');
}

const dateFormats = {
  short: { day: 'numeric', month: 'short' },
  shortWithYear: { day: 'numeric', month: 'short', year: 'numeric' },
  long: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
  weekday: { weekday: 'short' },
  heading: { weekday: 'long', day: 'numeric', month: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const FORMATTED_DATES_MAX = 2_000;
const formattedDates = new QuickLRU<string, string>({ maxSize: FORMATTED_DATES_MAX });

export function formatDate(date: string, style: keyof typeof dateFormats): string {
  const key = `${style} ${date}`;
  let text = formattedDates.get(key);
  if (text === undefined) {
    const options = { timeZone: 'UTC', ...dateFormats[style] };
    text = getDateFormat('en-GB', options).format(new Date(`${date}T00:00:00Z`));
    formattedDates.set(key, text);
  }
  return text;
}
