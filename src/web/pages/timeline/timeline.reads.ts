import * as z from 'zod';
import { addDays, getWeekRange } from '../../../kernel/dates/civil-date.ts';
import { civilDate, integerId } from '../../../kernel/operation/schema.ts';
import { listStatusesInProject } from '../../../projects/operations/project-columns.ts';
import { getProject } from '../../../projects/operations/projects.ts';
import { listProjectChoices } from '../../../search/lookup/choices.ts';
import { listTimeline } from '../../../tasks/timeline/timeline.ts';

/** src/web/styles/timeline.css contains the same number. */
const WEEKS_SHOWN = 6;
const DAYS_SHOWN = 7 * WEEKS_SHOWN;
/** Earlier days can't be selected in the app, and the weeks of later days would extend beyond the year 9999. */
const [FIRST_DAY, LAST_DAY] = ['1970-01-01', '9999-11-15'];

export const timelineParams = z.object({
  /** Any day of the first week. Defaults to the current week. */
  day: civilDate.optional(),
  who: z.enum(['me']).optional(),
  project: integerId.optional(),
});
export const timelineReads = {
  timeline: listTimeline,
  projects: listProjectChoices,
  statuses: listStatusesInProject,
};
export const timelineOptionalReads = { selectedProject: getProject };

export function getTimelineDays(day: string): { from: string; to: string } {
  const closest = day < FIRST_DAY ? FIRST_DAY : day > LAST_DAY ? LAST_DAY : day;
  const { from } = getWeekRange(closest);
  return { from, to: addDays(from, DAYS_SHOWN - 1) };
}

/** Returns the first day of the previous or next six weeks, or null if the timeline doesn't show them. */
export function getAdjacentDay(from: string, by: 1 | -1): string | null {
  const day = addDays(from, by * DAYS_SHOWN);
  return getTimelineDays(day).from === day ? day : null;
}
