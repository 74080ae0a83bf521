import { addDays, toInstant } from '../kernel/civil.ts';
import type { CalendarMeeting } from '../meetings/calendar.ts';
import { minutesOf } from '../meetings/meetings.schema.ts';
import { component, dateValue, instantValue, type Property, textValue } from './icalendar.ts';

const MINUTE_MS = 60_000;

interface Told {
  readonly timezone: string;
  /** When the feed was asked for. */
  readonly now: number;
  /** The address of the app of the workspace. */
  readonly base: string;
  /** Makes ids unique beyond this service. */
  readonly host: string;
}

interface Deadline {
  readonly id: number;
  readonly name: string;
  readonly deadline: string | null;
  readonly project: { readonly name: string };
}

/** Every occurrence is an event of its own, in UTC: then no reader has to know our rules or our time zone. */
export function meetingEvents(meeting: CalendarMeeting, told: Told): string[] {
  const { id, name, meetingLink, location, project, participants, createdAt } = meeting;
  const { timezone, base, host } = told;
  return meeting.occurrences.map(({ date, time }) => {
    const start = toInstant(date, time, timezone);
    const end = start + minutesOf(meeting.duration) * MINUTE_MS;
    const place = location ?? meetingLink;
    const people = participants.map((person) => person.name).join(', ');
    const lines = [...(meetingLink ? [meetingLink] : []), people, `${base}/meetings/${id}`];
    return component('VEVENT', [
      ['UID', `meeting-${id}-${dateValue(date)}@${host}`],
      ['DTSTAMP', instantValue(told.now)],
      ['CREATED', instantValue(Date.parse(createdAt))],
      ['DTSTART', instantValue(start)],
      ['DTEND', instantValue(end)],
      ['SUMMARY', textValue(name)],
      ['DESCRIPTION', textValue(lines.join('\n'))],
      ...(place ? [['LOCATION', textValue(place)] as const] : []),
      ['CATEGORIES', textValue(project.name)],
      ['URL', `${base}/meetings/${id}`],
    ]);
  });
}

/** A deadline is a whole day, and takes nobody's time. */
export function deadlineEvent({ id, name, deadline, project }: Deadline, told: Told): string[] {
  if (deadline === null) return [];
  const { base, host, now } = told;
  return [
    component('VEVENT', [
      ['UID', `task-${id}@${host}`],
      ['DTSTAMP', instantValue(now)],
      ['DTSTART;VALUE=DATE', dateValue(deadline)],
      // The end is the first day that is not part of it.
      ['DTEND;VALUE=DATE', dateValue(addDays(deadline, 1))],
      ['SUMMARY', textValue(name)],
      ['CATEGORIES', textValue(project.name)],
      ['TRANSP', 'TRANSPARENT'],
      ['URL', `${base}/tasks/${id}`],
    ]),
  ];
}

export function calendarOf(name: string, events: readonly string[]): string {
  const properties: readonly Property[] = [
    ['VERSION', '2.0'],
    ['PRODID', '-//Edgework//Calendar//EN'],
    ['CALSCALE', 'GREGORIAN'],
    ['METHOD', 'PUBLISH'],
    ['X-WR-CALNAME', textValue(name)],
    ['REFRESH-INTERVAL;VALUE=DURATION', 'PT1H'],
  ];
  return component('VCALENDAR', properties, events);
}
