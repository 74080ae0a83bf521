import { addDays, toInstant } from '../../kernel/dates/civil-date.ts';
import { MINUTE_MS } from '../../kernel/dates/durations.ts';
import type { CalendarMeeting } from '../operations/calendar.ts';
import { toTotalMinutes } from '../operations/meetings.schema.ts';
import {
  buildComponent,
  buildContentLines,
  escapeText,
  formatDay,
  formatInstant,
  type Property,
} from './icalendar.ts';

const EVENTS_MAX = 2_000;
const FEED_CHARACTERS_MAX = 1_000_000;

interface FeedContext {
  readonly timezone: string;
  readonly now: number;
  readonly base: string;
  readonly host: string;
}

interface CalendarTask {
  readonly id: number;
  readonly name: string;
  readonly deadline: string | null;
  readonly dueTime?: string | null | undefined;
  readonly project: { readonly name: string };
}

/**
 * Builds one event per occurrence, in UTC, so that calendar apps don't have to handle recurrence rules or time zones.
 * If there are too many occurrences, keeps those nearest to now.
 */
export function buildMeetingEvents(meetings: readonly CalendarMeeting[], context: FeedContext): string[] {
  const occurrences = meetings.flatMap((meeting) => {
    const details = buildEventDescription(meeting, context);
    return meeting.occurrences.map((each) => ({
      ...each,
      meeting,
      details,
      distance: Math.abs(Date.parse(each.date) - context.now),
    }));
  });
  const nearest = occurrences.toSorted((one, other) => one.distance - other.distance).slice(0, EVENTS_MAX);
  let left = FEED_CHARACTERS_MAX;
  const fitting = nearest.filter(({ details }) => {
    left -= details.length;
    return left >= 0;
  });
  return fitting.map(({ meeting, details, date, time }) => {
    const start = toInstant(date, time, context.timezone);
    const end = start + toTotalMinutes(meeting.duration) * MINUTE_MS;
    return buildComponent(
      'VEVENT',
      [
        ['UID', `meeting-${meeting.id}-${formatDay(date)}@${context.host}`],
        ['DTSTAMP', formatInstant(context.now)],
        ['DTSTART', formatInstant(start)],
        ['DTEND', formatInstant(end)],
      ],
      [details],
    );
  });
}

function buildEventDescription(meeting: CalendarMeeting, { base }: FeedContext): string {
  const { id, name, meetingLink, location, project, participants, createdAt } = meeting;
  const place = location ?? meetingLink;
  const people = participants.map((person) => person.name).join(', ');
  const described = [...(meetingLink ? [meetingLink] : []), people, `${base}/meetings/${id}`];
  return buildContentLines([
    ['CREATED', formatInstant(Date.parse(createdAt))],
    ['SUMMARY', escapeText(name)],
    ['DESCRIPTION', escapeText(described.join('\n'))],
    ...(place ? [['LOCATION', escapeText(place)] as const] : []),
    ['CATEGORIES', escapeText(project.name)],
    ['URL', `${base}/meetings/${id}`],
  ]);
}

export function buildDeadlineEvent(
  { id, name, deadline, dueTime, project }: CalendarTask,
  context: FeedContext,
): string[] {
  if (deadline === null) return [];
  const { base, host, now, timezone } = context;
  const due = dueTime ? formatInstant(toInstant(deadline, dueTime, timezone)) : null;
  return [
    buildComponent('VEVENT', [
      ['UID', `task-${id}@${host}`],
      ['DTSTAMP', formatInstant(now)],
      ...(due === null
        ? ([
            ['DTSTART;VALUE=DATE', formatDay(deadline)],
            // The end date is exclusive.
            ['DTEND;VALUE=DATE', formatDay(addDays(deadline, 1))],
          ] as const)
        : ([['DTSTART', due]] as const)),
      ['SUMMARY', escapeText(name)],
      ['CATEGORIES', escapeText(project.name)],
      ['TRANSP', 'TRANSPARENT'],
      ['URL', `${base}/tasks/${id}`],
    ]),
  ];
}

export function buildCalendar(name: string, events: readonly string[]): string {
  const properties: readonly Property[] = [
    ['VERSION', '2.0'],
    ['PRODID', '-//Edgework//Calendar//EN'],
    ['CALSCALE', 'GREGORIAN'],
    ['METHOD', 'PUBLISH'],
    ['X-WR-CALNAME', escapeText(name)],
    ['REFRESH-INTERVAL;VALUE=DURATION', 'PT1H'],
  ];
  return buildComponent('VCALENDAR', properties, events);
}
