import * as z from 'zod';
import { getMonthRange } from '../../../kernel/dates/civil-date.ts';
import { civilDate } from '../../../kernel/operation/schema.ts';
import { reportTime } from '../../../time/reports/team-time.ts';

export const reportParams = z.object({
  /** Without `from` and `to`, the report covers the current month. */
  from: civilDate.optional(),
  to: civilDate.optional(),
  offset: z.int().min(0).default(0),
});
type ReportParams = Pick<z.output<typeof reportParams>, 'from' | 'to'>;
export const reportReads = { report: reportTime };

export function getReportDateRange({ from, to }: ReportParams, today: string) {
  const month = getMonthRange(from ?? to ?? today);
  return { from: from ?? month.from, to: to ?? month.to };
}
