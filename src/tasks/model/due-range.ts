import { NO_DEADLINE } from '../../schema/cell/tasks.ts';

/** The first day of a range without a start. Tasks without a deadline sort after every day. */
export const FIRST_DAY = '0000-01-01';

/** Later years start with `+` and would sort before all other days. No task is due then. */
export function capDueDay(day: string): string {
  return day.startsWith('+') ? NO_DEADLINE : day;
}
