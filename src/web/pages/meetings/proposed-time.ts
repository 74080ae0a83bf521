import { addDays } from '../../../kernel/dates/civil.ts';

const MORNING = 10;
/** The last hour at which people like to begin. */
const EVENING = 17;

/** When somebody who plans a meeting now most likely wants it: the next full hour of the day, or tomorrow morning. */
export function proposedTime(clock: { date: string; time: string }): { date: string; time: string } {
  const next = Math.max(Number(clock.time.slice(0, 2)) + 1, MORNING);
  return next > EVENING
    ? { date: addDays(clock.date, 1), time: `${MORNING}:00` }
    : { date: clock.date, time: `${next}:00` };
}
