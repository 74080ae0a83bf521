import type { ActivityDraft } from '../activities/activities.queries.ts';
import { type AppError, invalidRequest, notFound } from '../kernel/errors.ts';
import type { TaskChanges } from './change.queries.ts';
import type { TaskState } from './tasks.queries.ts';
import { taskPriorities, taskStatuses } from './tasks.schema.ts';
import { NO_DEADLINE } from './tasks.sql.ts';

export function taskNotFound(id: number): AppError {
  return notFound('task', id, 'GET /v1/tasks');
}

/** Archived tasks are read-only until restored (spec 3). */
export function requireUnarchived(task: { id: number; archived: number }) {
  if (task.archived === 0) return;
  throw invalidRequest(
    `Task ${task.id} is archived and read-only. Restore it first with POST /v1/tasks/${task.id}/unarchive.`,
  );
}

/** Drops what a change would set to the value it has already: only real changes are written and logged. */
export function realChanges(task: TaskState, wanted: TaskChanges): TaskChanges {
  return Object.fromEntries(
    Object.entries(wanted).filter(([column, value]) => value !== task[column as keyof TaskChanges]),
  );
}

interface Assignees {
  from: string | null;
  to: string | null;
}

/** One history entry a changed field. */
export function describeChanges(
  task: TaskState,
  changes: TaskChanges,
  assignees: Assignees,
): ActivityDraft[] {
  const drafts: ActivityDraft[] = [];
  if (changes.status !== undefined) {
    drafts.push({
      type: 'status_changed',
      field: 'status',
      from: taskStatuses[task.status] ?? null,
      to: taskStatuses[changes.status] ?? null,
    });
  }
  if (changes.member !== undefined) {
    drafts.push({ type: 'assignee_changed', field: 'assignee', ...assignees });
  }
  if (changes.priority !== undefined) {
    drafts.push({
      type: 'priority_changed',
      field: 'priority',
      from: taskPriorities[task.priority] ?? null,
      to: taskPriorities[changes.priority] ?? null,
    });
  }
  if (changes.name !== undefined) {
    drafts.push({ type: 'name_changed', field: 'name', from: task.name, to: changes.name });
  }
  // A description may hold 100,000 characters; the history says only that it changed.
  if (changes.description !== undefined) drafts.push({ type: 'description_changed', field: 'description' });
  if (changes.start_date !== undefined) {
    drafts.push({
      type: 'start_date_changed',
      field: 'startDate',
      from: task.start_date,
      to: changes.start_date,
    });
  }
  if (changes.due !== undefined) {
    drafts.push({
      type: 'deadline_changed',
      field: 'deadline',
      from: deadlineOf(task.due),
      to: deadlineOf(changes.due),
    });
  }
  if (changes.estimated_hours !== undefined) {
    drafts.push({
      type: 'estimate_changed',
      field: 'customEstimatedHours',
      from: task.estimated_hours,
      to: changes.estimated_hours,
    });
  }
  if (changes.archived !== undefined)
    drafts.push({ type: changes.archived === 1 ? 'archived' : 'unarchived' });
  return drafts;
}

export function deadlineOf(due: string): string | null {
  return due === NO_DEADLINE ? null : due;
}

const DAY_STARTS_AT_HOUR = 9;
const DAY_ENDS_AT_HOUR = 18;

/** First whole working hour that no timed task of the day covers, as `HH:MM`; null on a full day. */
export function nextFreeHour(taken: readonly { time: string; minutes: number }[]): string | null {
  const busy = taken.map(({ time, minutes }) => {
    const [hour = 0, minute = 0] = time.split(':').map(Number);
    const start = hour * 60 + minute;
    return { start, end: start + minutes };
  });
  for (let hour = DAY_STARTS_AT_HOUR; hour < DAY_ENDS_AT_HOUR; hour += 1) {
    const start = hour * 60;
    if (!busy.some((slot) => slot.start < start + 60 && slot.end > start)) {
      return `${String(hour).padStart(2, '0')}:00`;
    }
  }
  return null;
}
