import { type TaskPriority, taskPriorities } from '../../tasks/model/tasks.schema.ts';

/** An SVG, because the color comes from the database and the content security policy forbids inline styles. */
export function StatusDot({ color }: { color: string }) {
  return (
    <svg class="dot" width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
      <circle cx="5" cy="5" r="5" fill={color} />
    </svg>
  );
}

/** A ring that fills as work progresses. It is decorative, so it needs the status's name next to it. */
export function StatusRing({ value }: { value: string }) {
  return <span class={`ring ${value}`} aria-hidden="true" />;
}

export interface StatusDisplay {
  readonly value: string;
  readonly label: string;
  readonly color: string;
}

export function buildStatusOptions(
  statuses: readonly (StatusDisplay & { readonly isShown?: boolean })[],
  current: string | readonly string[] = [],
) {
  return statuses
    .filter(({ value, isShown = true }) => isShown || [current].flat().includes(value))
    .map(({ value, label }) => [value, label] as const);
}

export function StatusLabel({ status }: { status: StatusDisplay | undefined }) {
  if (!status) return null;
  return (
    <span class="status">
      <StatusRing value={status.value} />
      {status.label}
    </span>
  );
}

export const priorityLabels: Readonly<Record<TaskPriority, string>> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
};

export const priorityOptions = taskPriorities.map((value) => [value, priorityLabels[value]] as const);

export const deadlineOptions = [
  ['overdue', 'Overdue'],
  ['today', 'Due by today'],
  ['week', 'Due by Sunday'],
] as const;

export function PriorityIcon({ priority }: { priority: TaskPriority }) {
  if (priority === 'medium') return null;
  return <span class={`bars ${priority}`} role="img" title={`${priorityLabels[priority]} priority`} />;
}

export function PriorityLabel({ priority }: { priority: TaskPriority }) {
  return (
    <span class="status">
      <span class={`bars ${priority}`} aria-hidden="true" />
      {priorityLabels[priority]}
    </span>
  );
}
