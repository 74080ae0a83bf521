import * as z from 'zod';
import { monthOf } from '../../../kernel/dates/civil.ts';
import { civilDate } from '../../../kernel/operation/schema.ts';
import { reportTime } from '../../../time/reports/team-time.ts';
import { csvFile } from '../../page-model/csv-file.ts';
import { datesInOrder } from '../../page-model/dates-in-order.ts';
import { page } from '../../page-model/page.ts';
import { TimeReportView } from './time-report.view.tsx';

const LINES_SHOWN = 100;
const SECONDS_AN_HOUR = 3600;

export const reportParams = z.object({
  /** By default this month. */
  from: civilDate.optional(),
  to: civilDate.optional(),
  offset: z.int().min(0).default(0),
});
type Days = Pick<z.output<typeof reportParams>, 'from' | 'to'>;
export const reportReads = { report: reportTime };

export function daysAsked({ from, to }: Days, today: string) {
  const month = monthOf(from ?? to ?? today);
  return { from: from ?? month.from, to: to ?? month.to };
}

export const timeReportPage = page({
  name: 'timeReport',
  path: '/time-report',
  title: () => 'Time by project and person',
  params: reportParams,
  filters: ['from', 'to'],
  problems: datesInOrder,
  reads: reportReads,
  inputs: ({ offset, ...days }, { today }) => ({
    report: { ...daysAsked(days, today), offset, limit: LINES_SHOWN },
  }),
  view: TimeReportView,
  script: 'saves',
});

export const timeReportCsv = csvFile({
  name: 'timeReportCsv',
  path: '/time-report.csv',
  params: reportParams,
  list: reportTime,
  input: (days, { today }) => daysAsked(days, today),
  reads: {},
  inputs: {},
  columns: () => [
    { label: 'Project', text: ({ project }) => project.name },
    { label: 'Person', text: ({ person }) => person.name },
    { label: 'Hours', text: ({ seconds }) => (seconds / SECONDS_AN_HOUR).toFixed(2) },
    { label: 'Entries', text: ({ entries }) => String(entries) },
  ],
});
