import type { Filters } from './filters.tsx';
import {
  buildStatusOptions,
  deadlineOptions,
  priorityOptions,
  type StatusDisplay,
} from './status-and-priority.tsx';

export type FilterField = Parameters<typeof Filters>[0]['choices'][number];

type FilterValues = readonly string[] | undefined;

const toMultipleValue = (values: FilterValues) => ({ value: values?.join(','), isMultiple: true });

export function buildProjectChoice(
  value: FilterField['value'],
  projects: NonNullable<FilterField['projects']>,
): FilterField {
  return { name: 'project', label: 'Project', value, options: [['', 'All projects']], projects };
}

export function buildStatusChoice(
  selected: FilterValues,
  statuses: readonly (StatusDisplay & { readonly isShown?: boolean })[],
): FilterField {
  const options = buildStatusOptions(statuses, selected);
  return {
    name: 'status',
    label: 'Status',
    ...toMultipleValue(selected),
    options: [['', 'Any status'], ['open', 'Open'], ...options],
  };
}

export function buildAssigneeChoice(
  selected: FilterValues,
  people: NonNullable<FilterField['people']>,
): FilterField {
  const options = [
    ['', 'Everyone'],
    ['me', 'Me'],
    ['none', 'Unassigned'],
  ] as const;
  return { name: 'assignee', label: 'Assignee', ...toMultipleValue(selected), options, people };
}

export function buildPriorityChoice(selected: FilterValues): FilterField {
  return {
    name: 'priority',
    label: 'Priority',
    ...toMultipleValue(selected),
    options: [['', 'Any priority'], ...priorityOptions],
  };
}

export function buildDeadlineChoice(value: FilterField['value']): FilterField {
  return { name: 'due', label: 'Deadline', value, options: [['', 'Any deadline'], ...deadlineOptions] };
}

export function buildBlockedChoice(value: FilterField['value']): FilterField {
  return {
    name: 'blocked',
    label: 'Blocked',
    value,
    options: [
      ['', 'Blocked or not'],
      ['true', 'Blocked: Yes'],
      ['false', 'Blocked: No'],
    ],
  };
}

/** @param name the parent's name, or undefined if the page doesn't show it. */
export function buildParentChoice(value: string | undefined, name: string | undefined): FilterField {
  const number = value?.replace('#', '');
  const isTask = number !== undefined && number !== 'none';
  return {
    name: 'parent',
    label: 'Parent',
    value: number,
    options: [
      ['', 'Any parent'],
      ['none', 'Parent: None'],
    ],
    tasks: { current: isTask ? { id: number, name: `Parent: ${name ?? `#${number}`}` } : null },
  };
}
