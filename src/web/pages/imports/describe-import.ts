import type * as z from 'zod';
import type { getImport, listImports } from '../../../imports/operations/imports.ts';
import type { columnUses } from '../../../imports/sources/source.ts';
import { formatCount, formatNumber } from '../../../kernel/text/number-format.ts';
import type { taskStatuses } from '../../../tasks/fields.ts';

type ListedImport = z.output<typeof listImports.output>['data'][number];
export type Import = z.output<typeof getImport.output>;
export type ImportReport = NonNullable<Import['report']>;

export const columnUseLabels: Readonly<Record<(typeof columnUses)[number], string>> = {
  id: 'Id',
  name: 'Name',
  description: 'Description',
  status: 'Status',
  priority: 'Priority',
  assignee: 'Assignees',
  tags: 'Tags',
  startDate: 'Start date',
  deadline: 'Deadline',
  dueTime: 'Due time',
  estimate: 'Estimate in hours',
  parent: 'Parent task',
  createdAt: 'Creation time',
  completedAt: 'Completion time',
  isCompleted: 'Completed',
  isArchived: 'Archived',
  checklist: 'Checklist',
  text: 'Keep as text',
  skip: "Don't import",
};

export const statusLabels: Readonly<Record<(typeof taskStatuses)[number], string>> = {
  todo: 'To do',
  in_progress: 'In progress',
  internal_review: 'Internal review',
  client_review: 'Client review',
  completed: 'Completed',
};

const outcomeLabels = {
  made: 'imported',
  mapped: 'converted',
  keptAsText: 'kept as text',
  leftOut: 'not imported',
  notRecognized: 'not recognized',
} as const;

export function describeColumnCounts({ filled, counts }: ImportReport['columns'][number]): string {
  const parts = Object.entries(outcomeLabels).flatMap(([word, label]) => {
    const count = counts[word as keyof typeof outcomeLabels];
    return count === 0 ? [] : [`${formatNumber(count)} ${label}`];
  });
  return filled === 0 ? 'Empty' : parts.join(', ');
}

export function describeImportProgress({ status, total, existing, made }: ListedImport): string {
  switch (status) {
    case 'ready':
      return `Not started, ${formatCount(total, 'task')}`;
    case 'running':
      return `${formatNumber(existing + made)} of ${formatCount(total, 'task')}`;
    case 'completed':
      return `${formatCount(made, 'task')} imported`;
    case 'canceled':
      return `Canceled after ${formatCount(made, 'task')}`;
    case 'failed':
      return `Failed after ${formatCount(made, 'task')}`;
  }
}
