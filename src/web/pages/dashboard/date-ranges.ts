import { addDays } from '../../../kernel/dates/civil-date.ts';
import { formatShortDate } from '../../components/time.tsx';

export const DEADLINES_SHOWN_MAX = 10;

/** Includes today. The number is small because counting reads a row per project per day. */
const DEADLINE_DAYS_SHOWN = 14;

/** Includes today. */
const FLOW_DAYS_SHOWN = 30;

export function getFlowStartDate(today: string): string {
  return addDays(today, 1 - FLOW_DAYS_SHOWN);
}

export function getDeadlinesEndDate(today: string): string {
  return addDays(today, DEADLINE_DAYS_SHOWN - 1);
}

export function formatDateRange(
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
