import { endCalendarFeed, renewCalendarFeed } from '../../../meetings/calendar-feed/calendar-feed.ts';
import { unknownProjectCheck } from '../../page-model/filter-checks.ts';
import { defineForm, definePage } from '../../page-model/page.ts';
import { calendarOptionalReads, calendarParams, calendarReads, getVisibleDays } from './calendar.reads.ts';
import { CalendarView } from './calendar.view.tsx';

const DEADLINES_SHOWN_MAX = 100;

export const calendarPage = definePage({
  name: 'calendar',
  path: '/calendar',
  title: () => 'Calendar',
  params: calendarParams,
  filters: ['who', 'project'],
  unknown: { selectedProject: unknownProjectCheck },
  reads: calendarReads,
  optionalReads: calendarOptionalReads,
  inputs: ({ view, day, who, project }, { today }) => {
    const { from, to } = getVisibleDays(view, day ?? today);
    const projectFilter = project === undefined ? {} : { projectId: project };
    return {
      meetings: { from, to, ...projectFilter },
      tasks: {
        scope: 'all' as const,
        dueFrom: from,
        dueTo: to,
        sort: 'due' as const,
        limit: DEADLINES_SHOWN_MAX,
        countUpTo: DEADLINES_SHOWN_MAX,
        ...(who === 'all' ? {} : { assigneeId: ['me'] }),
        ...(project !== undefined && { projectId: [project] }),
      },
      projects: {},
      selectedProject: project === undefined ? null : { id: project },
      feed: {},
    };
  },
  view: CalendarView,
  script: 'calendar',
  hasTaskPanel: true,
});

export const renewFeedForm = defineForm({
  name: 'renewFeed',
  path: '/calendar/address',
  operation: renewCalendarFeed,
  removal: 'asked',
  flash: () => ({ text: 'Calendar link created' }),
});
export const removeFeedForm = defineForm({
  name: 'endFeed',
  path: '/calendar/address/end',
  operation: endCalendarFeed,
  removal: 'asked',
  flash: () => ({ text: 'Calendar link removed' }),
});
