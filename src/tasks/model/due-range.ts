import { NO_DEADLINE } from '../../schema/cell/tasks.ts';

/** Every deadline lies between this day and "no deadline". */
export const FIRST_DAY = '0000-01-01';

/** Days of the year 10,000 would sort before all others; nothing is due then. */
export function orNever(day: string): string {
  return day.startsWith('+') ? NO_DEADLINE : day;
}
