import { addDays, toInstant } from '../../kernel/dates/civil.ts';
import type { CalendarMeeting } from '../operations/calendar.ts';
import { minutesOf } from '../operations/meetings.schema.ts';
import { component, contentLines, dateValue, instantValue, type Property, textValue } from './icalendar.ts';

const MINUTE_MS = 60_000;
/** Five meetings a day, and more than any calendar shows at once. */
const EVENTS_MAX = 2_000;
/** Calendars ask again every hour. */
const CHARACTERS_MAX = 1_000_000;

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

/**
 * Every occurrence is an event of its own, in UTC: then no reader has to know our rules or our time zone. Of more than a
 * file should hold, those that are nearest to now.
 */
export function meetingEvents(meetings: readonly CalendarMeeting[], told: Told): string[] {
  const occurrences = meetings.flatMap((meeting) => {
    const same = linesOf(meeting, told);
    return meeting.occurrences.map((each) => ({
      ...each,
      meeting,
      same,
      away: Math.abs(Date.parse(each.date) - told.now),
    }));
  });
  const nearest = occurrences.toSorted((one, other) => one.away - other.away).slice(0, EVENTS_MAX);
  let left = CHARACTERS_MAX;
  const fitting = nearest.filter(({ same }) => {
    left -= same.length;
    return left >= 0;
  });
  return fitting.map(({ meeting, same, date, time }) => {
    const start = toInstant(date, time, told.timezone);
    const end = start + minutesOf(meeting.duration) * MINUTE_MS;
    return component(
      'VEVENT',
      [
        ['UID', `meeting-${meeting.id}-${dateValue(date)}@${told.host}`],
        ['DTSTAMP', instantValue(told.now)],
        ['DTSTART', instantValue(start)],
        ['DTEND', instantValue(end)],
      ],
      [same],
    );
  });
}

/** What all occurrences of a meeting say. */
function linesOf(meeting: CalendarMeeting, { base }: Told): string {
  const { id, name, meetingLink, location, project, participants, createdAt } = meeting;
  const place = location ?? meetingLink;
  const people = participants.map((person) => person.name).join(', ');
  const described = [...(meetingLink ? [meetingLink] : []), people, `${base}/meetings/${id}`];
  return contentLines([
    ['CREATED', instantValue(Date.parse(createdAt))],
    ['SUMMARY', textValue(name)],
    ['DESCRIPTION', textValue(described.join('\n'))],
    ...(place ? [['LOCATION', textValue(place)] as const] : []),
    ['CATEGORIES', textValue(project.name)],
    ['URL', `${base}/meetings/${id}`],
  ]);
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
