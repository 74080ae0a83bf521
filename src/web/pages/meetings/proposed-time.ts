import { addDays } from '../../../kernel/dates/civil.ts';

const MORNING = 10;
const EVENING = 17;

/** Proposes the next full hour during the day, or tomorrow morning. */
export function proposeTime(clock: { date: string; time: string }): { date: string; time: string } {
  const next = Math.max(Number(clock.time.slice(0, 2)) + 1, MORNING);
  return next > EVENING
    ? { date: addDays(clock.date, 1), time: `${MORNING}:00` }
    : { date: clock.date, time: `${next}:00` };
}
