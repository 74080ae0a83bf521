import { addDays } from '../../kernel/civil.ts';

/** Of the next deadlines, today included. To count all that lie ahead takes a row a project and day. */
const DAYS = 14;

/** Of the flow, today included. */
const DAYS_BACK = 30;

export function firstDayOfFlow(today: string): string {
  return addDays(today, 1 - DAYS_BACK);
}

export function lastDayAhead(today: string): string {
  return addDays(today, DAYS - 1);
}
