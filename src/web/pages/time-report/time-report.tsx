import { reportTime } from '../../../time/reports/team-time.ts';
import { defineCsvFile } from '../../page-model/csv-file.ts';
import { findDateProblems } from '../../page-model/find-date-problems.ts';
import { definePage } from '../../page-model/page.ts';
import { getReportDateRange, reportParams, reportReads } from './time-report.reads.ts';
import { TimeReportView } from './time-report.view.tsx';

const ROWS_SHOWN_MAX = 100;
const SECONDS_PER_HOUR = 3600;

export const timeReportPage = definePage({
  name: 'timeReport',
  path: '/time-report',
  title: () => 'Time report',
  params: reportParams,
  filters: ['from', 'to'],
  problems: findDateProblems,
  reads: reportReads,
  inputs: ({ offset, ...days }, { today }) => ({
    report: { ...getReportDateRange(days, today), offset, limit: ROWS_SHOWN_MAX },
  }),
  view: TimeReportView,
  script: 'saves',
});

export const timeReportCsv = defineCsvFile({
  name: 'timeReportCsv',
  path: '/time-report.csv',
  params: reportParams,
  list: reportTime,
  input: (days, { today }) => getReportDateRange(days, today),
  reads: {},
  inputs: () => ({}),
  columns: () => [
    { label: 'Project', text: ({ project }) => project.name },
    { label: 'Person', text: ({ person }) => person.name },
    { label: 'Hours', text: ({ seconds }) => (seconds / SECONDS_PER_HOUR).toFixed(2) },
    { label: 'Entries', text: ({ entries }) => String(entries) },
  ],
});
