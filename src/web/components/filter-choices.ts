import type { Filters } from './filters.tsx';
import {
  buildStatusOptions,
  deadlineOptions,
  priorityOptions,
  type StatusDisplay,
} from './status-and-priority.tsx';

export type FilterChoice = Parameters<typeof Filters>[0]['choices'][number];

type Values = readonly string[] | undefined;

const toMultipleValue = (values: Values) => ({ value: values?.join(','), isMultiple: true });

export function buildProjectChoice(
  value: FilterChoice['value'],
  projects: NonNullable<FilterChoice['projects']>,
): FilterChoice {
  return { name: 'project', label: 'Project', value, options: [['', 'All projects']], projects };
}

export function buildStatusChoice(
  selected: Values,
  statuses: readonly (StatusDisplay & { readonly isShown?: boolean })[],
): FilterChoice {
  const options = buildStatusOptions(statuses, selected);
  return {
    name: 'status',
    label: 'Status',
    ...toMultipleValue(selected),
    options: [['', 'Any status'], ['open', 'Open'], ...options],
  };
}

export function buildAssigneeChoice(
  selected: Values,
  people: NonNullable<FilterChoice['people']>,
): FilterChoice {
  const options = [
    ['', 'Everyone'],
    ['me', 'Me'],
    ['none', 'Unassigned'],
  ] as const;
  return { name: 'assignee', label: 'Assignee', ...toMultipleValue(selected), options, people };
}

export function buildPriorityChoice(selected: Values): FilterChoice {
  return {
    name: 'priority',
    label: 'Priority',
    ...toMultipleValue(selected),
    options: [['', 'Any priority'], ...priorityOptions],
  };
}

export function buildDeadlineChoice(value: FilterChoice['value']): FilterChoice {
  return { name: 'due', label: 'Deadline', value, options: [['', 'Any deadline'], ...deadlineOptions] };
}
