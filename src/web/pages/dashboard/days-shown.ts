import { addDays } from '../../../kernel/dates/civil.ts';
import { shortDate } from '../../components/time.tsx';

/** Next deadlines that the page lists. */
export const TASKS_SHOWN = 10;

/** Days of the next deadlines, today included. To count all that lie ahead takes a row a project and day. */
const DAYS = 14;

/** Days of the flow, today included. */
const DAYS_BACK = 30;

export function firstDayOfFlow(today: string): string {
  return addDays(today, 1 - DAYS_BACK);
}

export function lastDayAhead(today: string): string {
  return addDays(today, DAYS - 1);
}

/** "1 Nov – 30 Nov", "from 1 Nov"; empty where no day is chosen. */
export function daysChosen(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  today: string,
): string {
  if (from && to)
    return from === to ? shortDate(from, today) : `${shortDate(from, today)} – ${shortDate(to, today)}`;
  if (from) return `from ${shortDate(from, today)}`;
  return to ? `until ${shortDate(to, today)}` : '';
}
