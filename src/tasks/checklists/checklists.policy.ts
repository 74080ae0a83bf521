import { type AppError, invalidRequestError, notFoundError } from '../../kernel/errors/errors.ts';
import { CHECKLIST_LINES_MAX } from '../checklist-lines.ts';

export function lineNotFoundError(task: number, id: number): AppError {
  return notFoundError('checklist item', id, ({ call }) => call('getChecklist', { id: task }));
}

export function unknownLineError(index: number, id: number): AppError {
  return invalidRequestError(
    ({ field }) =>
      `${field('items')}[${index}].id must be an item of this checklist; got ${id}. Leave out the id of a new item.`,
  );
}

export function repeatedLineError(index: number, id: number): AppError {
  return invalidRequestError(
    ({ field }) => `${field('items')}[${index}].id must not repeat; got ${id} twice`,
  );
}

export function requireRoomForLine(lines: readonly unknown[]) {
  if (lines.length < CHECKLIST_LINES_MAX) return;
  throw invalidRequestError(
    `A checklist can have up to ${CHECKLIST_LINES_MAX} items. Delete some, or continue in another task.`,
  );
}
