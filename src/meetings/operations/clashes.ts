import type { CalendarMeeting } from './calendar.ts';
import { minutesOf } from './meetings.schema.ts';

interface Busy {
  readonly text: string;
  /** At the same time as the meeting that is planned or moved. */
  readonly isClash: boolean;
}

/** What each person has on that day, by their id. */
export function clashesOf(
  meetings: readonly CalendarMeeting[],
  { date, time, minutes }: { date: string; time: string; minutes: number },
): ReadonlyMap<string, readonly Busy[]> {
  const start = minuteOf(time);
  const busy = new Map<string, Busy[]>();
  for (const { name, duration, participants, occurrences } of meetings) {
    for (const occurrence of occurrences.filter((each) => each.date === date)) {
      const from = minuteOf(occurrence.time);
      const to = from + minutesOf(duration);
      const text = `${occurrence.time}–${clock(to)} ${name}`;
      const isClash = from < start + minutes && start < to;
      for (const { id } of participants) busy.set(id, [...(busy.get(id) ?? []), { text, isClash }]);
    }
  }
  return busy;
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/** A meeting that goes on over midnight ends at 24:00 of this day. */
function clock(minute: number): string {
  const within = Math.min(minute, 1440);
  return [Math.floor(within / 60), within % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
