import { NO_DEADLINE } from '../../schema/cell/tasks.ts';

export const FIRST_DAY = '0000-01-01';

/** Years after 9999 start with `+` and would sort before all other days. No task is due then. */
export function capDueDay(day: string): string {
  return day.startsWith('+') ? NO_DEADLINE : day;
}
