import * as z from 'zod';
import { civilDate, integerId } from '../../kernel/operation/schema.ts';
import { taskStatuses } from '../../tasks/model/tasks.schema.ts';
import { dateRange, peopleFilter, projectFilter, textFilter } from '../scope/scope.schema.ts';

/** Responses spell statuses with hyphens. Requests can use hyphens or underscores. */
export function hyphenateStatus(status: string): string {
  return status.replaceAll('_', '-');
}

export const hyphenatedStatuses = taskStatuses.map(hyphenateStatus);
const status = z
  .enum([...new Set([...hyphenatedStatuses, ...taskStatuses])] as [string, ...string[]])
  .meta({ example: 'in-progress' });

export function toStatusIndex(value: string): number {
  return hyphenatedStatuses.indexOf(hyphenateStatus(value));
}

const localDate = civilDate
  .optional()
  .meta({ description: "Your current date. Defaults to today in the workspace's time zone." });

export const taskFilters = {
  search: textFilter.meta({
    description: 'Only tasks whose name or description contains this text, ignoring case.',
  }),
  ...dateRange,
  ...peopleFilter,
  taskId: integerId.optional(),
  ...projectFilter,
  status: status.optional(),
  localDate,
};

export const dashboardFilterInput = z.strictObject(taskFilters);
export type DashboardFilterInput = z.infer<typeof dashboardFilterInput>;
