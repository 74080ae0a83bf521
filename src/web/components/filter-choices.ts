import type { Filters } from './filters.tsx';
import { dueOptions, priorityOptions } from './status-and-priority.tsx';

export type Choice = Parameters<typeof Filters>[0]['choices'][number];

export function buildProjectChoice(
  value: Choice['value'],
  projects: NonNullable<Choice['projects']>,
): Choice {
  return { name: 'project', label: 'Project', value, options: [['', 'All projects']], projects };
}

export function buildStatusChoice(
  value: Choice['value'],
  statuses: readonly { readonly value: string; readonly label: string }[],
): Choice {
  const options = statuses.map((status) => [status.value, status.label] as const);
  return {
    name: 'status',
    label: 'Status',
    value,
    options: [['', 'Any status'], ['open', 'Open'], ...options],
  };
}

export function buildAssigneeChoice(value: Choice['value'], people: NonNullable<Choice['people']>): Choice {
  const options = [
    ['', 'Everyone'],
    ['me', 'Me'],
    ['none', 'Unassigned'],
  ] as const;
  return { name: 'assignee', label: 'Assignee', value, options, people };
}

export function buildPriorityChoice(value: Choice['value']): Choice {
  return {
    name: 'priority',
    label: 'Priority',
    value,
    options: [['', 'Any priority'], ...priorityOptions],
  };
}

export function buildDueChoice(value: Choice['value']): Choice {
  return { name: 'due', label: 'Deadline', value, options: [['', 'Any deadline'], ...dueOptions] };
}
