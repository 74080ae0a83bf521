import type { CalendarMeeting } from './calendar.ts';
import { toTotalMinutes } from './meetings.schema.ts';

interface BusyTime {
  readonly text: string;
  readonly isClash: boolean;
}

export function listBusyTimes(
  meetings: readonly CalendarMeeting[],
  { date, time, minutes }: { date: string; time: string; minutes: number },
): ReadonlyMap<string, readonly BusyTime[]> {
  const start = parseMinuteOfDay(time);
  const busy = new Map<string, BusyTime[]>();
  for (const { name, duration, participants, occurrences } of meetings) {
    for (const occurrence of occurrences.filter((each) => each.date === date)) {
      const from = parseMinuteOfDay(occurrence.time);
      const to = from + toTotalMinutes(duration);
      const text = `${occurrence.time}–${formatMinuteOfDay(to)} ${name}`;
      const isClash = from < start + minutes && start < to;
      for (const { id } of participants) busy.set(id, [...(busy.get(id) ?? []), { text, isClash }]);
    }
  }
  return busy;
}

function parseMinuteOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/** A meeting that runs past midnight ends at 24:00. */
function formatMinuteOfDay(minute: number): string {
  const within = Math.min(minute, 1440);
  return [Math.floor(within / 60), within % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
