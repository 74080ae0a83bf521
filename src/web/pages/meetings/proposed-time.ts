import { addDays } from '../../../kernel/dates/civil-date.ts';

const MORNING_HOUR = 10;
const EVENING_HOUR = 17;

export function proposeTime(clock: { date: string; time: string }): { date: string; time: string } {
  const next = Math.max(Number(clock.time.slice(0, 2)) + 1, MORNING_HOUR);
  return next > EVENING_HOUR
    ? { date: addDays(clock.date, 1), time: `${MORNING_HOUR}:00` }
    : { date: clock.date, time: `${next}:00` };
}
