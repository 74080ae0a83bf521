import { addDays } from '../../kernel/civil.ts';

/** Of the next deadlines, today included. To count all that lie ahead takes a row a project and day. */
const DAYS = 14;

export function lastDayAhead(today: string): string {
  return addDays(today, DAYS - 1);
}
