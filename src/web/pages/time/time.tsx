import * as z from 'zod';
import { listTasks } from '../../../tasks/operations/list-tasks.ts';
import { namedPeriods } from '../../../time/tracking/time-tracking.schema.ts';
import { getTimeStats, listTimeEntries } from '../../../time/tracking/time-tracking.ts';
import { definePage } from '../../page-model/page.ts';
import { TimeView } from './time.view.tsx';

const ENTRIES_SHOWN_MAX = 50;
const TASKS_SUGGESTED_MAX = 100;

export const timeParams = z.object({
  period: z.enum(namedPeriods).default('week'),
  offset: z.int().min(0).default(0),
});
export const timeReads = { stats: getTimeStats, entries: listTimeEntries, ownTasks: listTasks };

export const timePage = definePage({
  name: 'time',
  path: '/time',
  title: () => 'Time',
  params: timeParams,
  reads: timeReads,
  inputs: ({ period, offset }) => ({
    stats: { period },
    entries: { limit: ENTRIES_SHOWN_MAX, offset },
    ownTasks: {
      scope: 'all' as const,
      assigneeId: ['me'],
      status: ['open' as const],
      limit: TASKS_SUGGESTED_MAX,
    },
  }),
  view: TimeView,
});
