import * as z from 'zod';
import { monthOf, weekOf } from '../../../kernel/dates/civil.ts';
import { civilDate, integerId } from '../../../kernel/operation/schema.ts';
import {
  endCalendarFeed,
  getCalendarFeed,
  renewCalendarFeed,
} from '../../../meetings/calendar-feed/calendar-feed.ts';
import { listCalendarMeetings } from '../../../meetings/operations/calendar.ts';
import { getProject } from '../../../projects/operations/projects.ts';
import { listProjectChoices } from '../../../search/lookup/choices.ts';
import { listTaskRows } from '../../../time/reports/team-time.ts';
import { form, page } from '../../page-model/page.ts';
import { unknownProject } from '../../page-model/unknown-filters.ts';
import { CalendarView } from './calendar.view.tsx';

const DEADLINES_SHOWN = 100;

export const calendarParams = z.object({
  view: z.enum(['month', 'week']).default('month'),
  /** A day of the month or the week that is shown; today by default. */
  day: civilDate.optional(),
  /** `all` shows what others meet for and have to do, too. */
  who: z.enum(['all']).optional(),
  project: integerId.optional(),
});

export const calendarReads = {
  meetings: listCalendarMeetings,
  tasks: listTaskRows,
  projects: listProjectChoices,
  feed: getCalendarFeed,
};

export const calendarMaybe = { chosenProject: getProject };

/** First and last day on the page: whole weeks. */
export function shownDays(view: 'month' | 'week', day: string): { from: string; to: string } {
  if (view === 'week') return weekOf(day);
  const { from, to } = monthOf(day);
  return { from: weekOf(from).from, to: weekOf(to).to };
}

export const calendarPage = page({
  name: 'calendar',
  path: '/calendar',
  title: () => 'Calendar',
  params: calendarParams,
  filters: ['who', 'project'],
  unknown: { chosenProject: unknownProject },
  reads: calendarReads,
  maybe: calendarMaybe,
  inputs: ({ view, day, who, project }, { today }) => {
    const { from, to } = shownDays(view, day ?? today);
    const ofProject = project === undefined ? {} : { projectId: project };
    return {
      meetings: { from, to, ...ofProject },
      tasks: {
        scope: 'all' as const,
        dueFrom: from,
        dueTo: to,
        sort: 'due' as const,
        limit: DEADLINES_SHOWN,
        countUpTo: DEADLINES_SHOWN,
        ...(who === 'all' ? {} : { assigneeId: ['me'] }),
        ...ofProject,
      },
      projects: {},
      chosenProject: project === undefined ? null : { id: project },
      feed: {},
    };
  },
  view: CalendarView,
  script: 'calendar',
});

export const renewFeed = form({
  name: 'renewFeed',
  path: '/calendar/address',
  operation: renewCalendarFeed,
  removal: 'asked',
  done: () => ({ said: 'New address created' }),
});
export const endFeed = form({
  name: 'endFeed',
  path: '/calendar/address/end',
  operation: endCalendarFeed,
  removal: 'asked',
  done: () => ({ said: 'Calendar address removed' }),
});
