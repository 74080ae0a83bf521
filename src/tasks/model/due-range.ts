import { NO_DEADLINE } from '../../schema/cell/tasks.ts';

/** Every deadline is between this day and "no deadline". */
export const FIRST_DAY = '0000-01-01';

/** Years from 10,000 on would sort before all others, and nothing is due then. */
export function capDueDay(day: string): string {
  return day.startsWith('+') ? NO_DEADLINE : day;
}
