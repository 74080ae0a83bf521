import { toInstant } from '../../kernel/dates/civil-date.ts';
import { MINUTE_MS } from '../../kernel/dates/durations.ts';
import { NO_DEADLINE } from '../../schema/cell/tasks.ts';

/** If a task has no due time, its reminders count back from this time of day. */
export const DAY_STARTS_AT = '09:00';

interface RemindedTask {
  due: string;
  due_time: string | null;
  archived: number;
  status: number;
}

/** Returns the moment from which reminders count back, or null if the task has no deadline. */
export function toDueMoment(
  { due, due_time }: Pick<RemindedTask, 'due' | 'due_time'>,
  timezone: string,
): number | null {
  return due === NO_DEADLINE ? null : toInstant(due, due_time ?? DAY_STARTS_AT, timezone);
}

/** Returns null for a reminder that depends on a deadline if the task has none. */
export function toReminderTime(
  { minutes_before: minutes, at }: { minutes_before: number | null; at: number | null },
  dueMoment: number | null,
): number | null {
  if (minutes === null) return at;
  return dueMoment === null ? null : dueMoment - minutes * MINUTE_MS;
}
