import type { Filters } from './filters.tsx';
import {
  buildStatusOptions,
  deadlineOptions,
  priorityOptions,
  type StatusDisplay,
} from './status-and-priority.tsx';

export type FilterChoice = Parameters<typeof Filters>[0]['choices'][number];

export function buildProjectChoice(
  value: FilterChoice['value'],
  projects: NonNullable<FilterChoice['projects']>,
): FilterChoice {
  return { name: 'project', label: 'Project', value, options: [['', 'All projects']], projects };
}

export function buildStatusChoice(
  value: FilterChoice['value'],
  statuses: readonly (StatusDisplay & { readonly isShown?: boolean })[],
): FilterChoice {
  const options = buildStatusOptions(statuses, value === undefined ? undefined : String(value));
  return {
    name: 'status',
    label: 'Status',
    value,
    options: [['', 'Any status'], ['open', 'Open'], ...options],
  };
}

export function buildAssigneeChoice(
  value: FilterChoice['value'],
  people: NonNullable<FilterChoice['people']>,
): FilterChoice {
  const options = [
    ['', 'Everyone'],
    ['me', 'Me'],
    ['none', 'Unassigned'],
  ] as const;
  return { name: 'assignee', label: 'Assignee', value, options, people };
}

export function buildPriorityChoice(value: FilterChoice['value']): FilterChoice {
  return {
    name: 'priority',
    label: 'Priority',
    value,
    options: [['', 'Any priority'], ...priorityOptions],
  };
}

export function buildDeadlineChoice(value: FilterChoice['value']): FilterChoice {
  return { name: 'due', label: 'Deadline', value, options: [['', 'Any deadline'], ...deadlineOptions] };
}
