import { daysBetween } from '../src/kernel/dates/civil.ts';

/** Deadlines of the seeded tasks lie around this day, which the requests call today; those before it are summed. */
export const PAST_CUTOFF = '2026-11-20';
/** Those before the Monday after it are summed as well. */
export const WEEK_CUTOFF = '2026-11-23';

/** Days that no cron has summed since: the workload, which knows no other day than today, reads them. */
export function daysSinceCutoff(): number {
  return Math.max(0, daysBetween(PAST_CUTOFF, new Date().toISOString().slice(0, 10)));
}
