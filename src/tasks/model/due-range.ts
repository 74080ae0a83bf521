import { NO_DEADLINE } from '../../schema/cell/tasks.ts';

export const FIRST_DAY = '0000-01-01';

/** Years after 9999 start with `+`, which sorts before all digits. No task has such a late deadline. */
export function capDueDay(day: string): string {
  return day.startsWith('+') ? NO_DEADLINE : day;
}
