import { type AppError, invalidRequestError, notFoundError } from '../../kernel/errors/errors.ts';
import { NO_DEADLINE } from '../../schema/cell/tasks.ts';
import type { AssigneeInput } from '../field-values.ts';
import { TASK_NAME_CHARACTERS_MAX } from '../summaries/summaries.schema.ts';
import { expandedFieldNames } from './tasks.schema.ts';

/** @param field the input field that contains the id, unless the id is in the path. */
export function taskNotFoundError(id: number, field?: string): AppError {
  return notFoundError('task', id, ({ call }) => call('listTasks'), field);
}

/** @param field the input field that contains the id, unless the id is in the path. */
export function commentNotFoundError(task: number, id: number, field?: string): AppError {
  return notFoundError('comment', id, ({ call }) => call('listComments', { id: task }), field);
}

export function unknownAssigneeError(
  userId: string,
  input: 'assigneeId' | 'assigneeIds' = 'assigneeId',
): AppError {
  return invalidRequestError(
    ({ call, field }) =>
      `${field(input)} '${userId}' is not a member of this workspace. ${call('listUsers')} lists the members.`,
  );
}

export function requireOneAssigneeInput<T extends AssigneeInput>(input: T): T {
  if (input.assigneeId === undefined || input.assigneeIds === undefined) return input;
  throw invalidRequestError(
    ({ field }) => `${field('assigneeIds')} can't be sent with ${field('assigneeId')}; send one of them`,
  );
}

export function missingDeadlineError(time: string): AppError {
  return invalidRequestError(
    ({ field }) =>
      `${field('dueTime')} requires a deadline; got '${time}' without one. Add a deadline, or leave the time out.`,
  );
}

const COPY_SUFFIX = ' (copy)';

export function toCopyName(name: string): string {
  const kept = name.slice(0, TASK_NAME_CHARACTERS_MAX - COPY_SUFFIX.length);
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}${COPY_SUFFIX}`;
}

export function toDeadline(due: string): string | null {
  return due === NO_DEADLINE ? null : due;
}

const WORKDAY_START_HOUR = 9;
const WORKDAY_END_HOUR = 18;

/** Returns the start (`HH:MM`) of the first working hour without a scheduled task, or null if there is none. */
export function findFreeHour(taken: readonly { time: string; minutes: number }[]): string | null {
  const busy = taken.map(({ time, minutes }) => {
    const [hour = 0, minute = 0] = time.split(':').map(Number);
    const start = hour * 60 + minute;
    return { start, end: start + minutes };
  });
  for (let hour = WORKDAY_START_HOUR; hour < WORKDAY_END_HOUR; hour += 1) {
    const start = hour * 60;
    if (!busy.some((slot) => slot.start < start + 60 && slot.end > start)) {
      return `${String(hour).padStart(2, '0')}:00`;
    }
  }
  return null;
}

/** Throws 400 if `fields` names a field that requires a value missing from `expand`. */
export function requireExpandedFields({
  expand = [],
  fields = [],
}: {
  expand?: readonly string[] | undefined;
  fields?: readonly string[] | undefined;
}) {
  for (const [part, names] of Object.entries(expandedFieldNames)) {
    const missing = fields.find((name) => names.includes(name));
    if (missing === undefined || expand.includes(part)) continue;
    throw invalidRequestError(
      `fields must not include ${missing} without expand=${part}; send both`,
      'fields',
    );
  }
}
