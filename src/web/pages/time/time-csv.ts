import { getMonthRange, getWeekRange, toWallClock } from '../../../kernel/dates/civil-date.ts';
import { listTimeEntries } from '../../../time/tracking/time-tracking.ts';
import { defineCsvFile } from '../../page-model/csv-file.ts';
import { timeParams } from './time.tsx';

const SECONDS_PER_HOUR = 3600;

export const timeCsv = defineCsvFile({
  name: 'timeCsv',
  path: '/time.csv',
  params: timeParams,
  list: listTimeEntries,
  input: ({ period }, { today }) =>
    period === 'day'
      ? { from: today, to: today }
      : period === 'week'
        ? getWeekRange(today)
        : getMonthRange(today),
  reads: {},
  inputs: () => ({}),
  columns: (_params, _answers, { timezone }) => {
    const toLocalTime = (at: string | null) => (at === null ? null : toWallClock(Date.parse(at), timezone));
    return [
      { label: 'Day', text: ({ startTime }) => toLocalTime(startTime)?.date ?? '' },
      { label: 'From', text: ({ startTime }) => toLocalTime(startTime)?.time ?? '' },
      { label: 'To', text: ({ endTime }) => toLocalTime(endTime)?.time ?? '' },
      { label: 'Hours', text: ({ durationSeconds }) => (durationSeconds / SECONDS_PER_HOUR).toFixed(2) },
      { label: 'Number', text: ({ task }) => String(task.id) },
      { label: 'Task', text: ({ task }) => task.name },
      { label: 'Project', text: ({ project }) => project.name },
    ];
  },
});
