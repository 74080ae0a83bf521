import { toInstant } from '../../kernel/dates/civil-date.ts';
import { MINUTE_MS } from '../../kernel/dates/durations.ts';
import { NO_DEADLINE } from '../../schema/cell/tasks.ts';

/** If a task has no due time, its reminders count back from this time of day. */
export const DEFAULT_DUE_TIME = '09:00';

interface TaskWithReminders {
  due: string;
  due_time: string | null;
  archived: number;
  status: number;
}

/** Returns the moment from which reminders count back, or null if the task has no deadline. */
export function toDueInstant(
  { due, due_time }: Pick<TaskWithReminders, 'due' | 'due_time'>,
  timezone: string,
): number | null {
  return due === NO_DEADLINE ? null : toInstant(due, due_time ?? DEFAULT_DUE_TIME, timezone);
}

export function toReminderTime(
  { minutes_before: minutes, at }: { minutes_before: number | null; at: number | null },
  dueMoment: number | null,
): number | null {
  if (minutes === null) return at;
  return dueMoment === null ? null : dueMoment - minutes * MINUTE_MS;
}
