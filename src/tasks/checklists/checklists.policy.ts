import { type AppError, invalidRequestError, notFoundError } from '../../kernel/errors/errors.ts';
import { CHECKLIST_ITEMS_MAX } from '../checklist-items.ts';

export function checklistItemNotFoundError(task: number, id: number): AppError {
  return notFoundError('checklist item', id, ({ call }) => call('getChecklist', { id: task }));
}

export function unknownChecklistItemError(index: number, id: number): AppError {
  return invalidRequestError(
    ({ field }) =>
      `${field('items')}[${index}].id must be an item of this checklist; got ${id}. Leave out the id of a new item.`,
  );
}

export function repeatedChecklistItemError(index: number, id: number): AppError {
  return invalidRequestError(
    ({ field }) => `${field('items')}[${index}].id must not repeat; got ${id} twice`,
  );
}

export function requireRoomForChecklistItem(lines: readonly unknown[]) {
  if (lines.length < CHECKLIST_ITEMS_MAX) return;
  throw invalidRequestError(
    `A checklist can have up to ${CHECKLIST_ITEMS_MAX} items. Delete some, or continue in another task.`,
  );
}
