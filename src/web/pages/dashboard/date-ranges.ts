import { addDays } from '../../../kernel/dates/civil-date.ts';
import { formatShortDate } from '../../components/time.tsx';

export const DEADLINES_SHOWN_MAX = 10;

/** Includes today. The number is small because counting reads a row per project per day. */
const DAYS_AHEAD = 14;

/** Includes today. */
const DAYS_BACK = 30;

export function getFirstDayOfFlow(today: string): string {
  return addDays(today, 1 - DAYS_BACK);
}

export function getLastDayAhead(today: string): string {
  return addDays(today, DAYS_AHEAD - 1);
}

export function formatDays(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  today: string,
): string {
  if (from && to)
    return from === to
      ? formatShortDate(from, today)
      : `${formatShortDate(from, today)} – ${formatShortDate(to, today)}`;
  if (from) return `from ${formatShortDate(from, today)}`;
  return to ? `until ${formatShortDate(to, today)}` : '';
}
