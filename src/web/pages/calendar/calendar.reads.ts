import * as z from 'zod';
import { getMonthRange, getWeekRange } from '../../../kernel/dates/civil-date.ts';
import { civilDate, integerId } from '../../../kernel/operation/schema.ts';
import { getCalendarFeed } from '../../../meetings/calendar-feed/calendar-feed.ts';
import { listCalendarMeetings } from '../../../meetings/operations/calendar.ts';
import { getProject } from '../../../projects/operations/projects.ts';
import { listProjectChoices } from '../../../search/lookup/choices.ts';
import { listTaskRows } from '../../../time/reports/team-time.ts';

export const calendarParams = z.object({
  view: z.enum(['month', 'week']).default('month'),
  /** Any day of the displayed month or week. Defaults to today. */
  day: civilDate.optional(),
  /** `all` includes other people's meetings and deadlines. */
  who: z.enum(['all']).optional(),
  project: integerId.optional(),
});

export const calendarReads = {
  meetings: listCalendarMeetings,
  tasks: listTaskRows,
  projects: listProjectChoices,
  feed: getCalendarFeed,
};

export const calendarOptionalReads = { selectedProject: getProject };

export function getVisibleDays(view: 'month' | 'week', day: string): { from: string; to: string } {
  if (view === 'week') return getWeekRange(day);
  const { from, to } = getMonthRange(day);
  return { from: getWeekRange(from).from, to: getWeekRange(to).to };
}
