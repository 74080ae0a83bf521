import { addDays } from '../../../kernel/dates/civil-date.ts';

const FIRST_PROPOSED_HOUR = 10;
const LAST_PROPOSED_HOUR = 17;

export function proposeTime(clock: { date: string; time: string }): { date: string; time: string } {
  const next = Math.max(Number(clock.time.slice(0, 2)) + 1, FIRST_PROPOSED_HOUR);
  return next > LAST_PROPOSED_HOUR
    ? { date: addDays(clock.date, 1), time: `${FIRST_PROPOSED_HOUR}:00` }
    : { date: clock.date, time: `${next}:00` };
}
