import { undoChangesOfTasks } from '../../../tasks/bulk/undo.ts';
import { type FlashMessage, form } from '../../page-model/page.ts';

/** More than one form can change. The operation rejects longer lists. */
const TASKS_MAX = 100;

export function toUndoneMessage(): FlashMessage {
  return { text: 'Undone' };
}

export const undo = form({
  name: 'undo',
  path: '/undo',
  operation: undoChangesOfTasks,
  toInput: (fields) => ({
    ids: (fields.get('ids') ?? '').split(',', TASKS_MAX + 1).map(Number),
    since: Number(fields.get('since')),
  }),
  flash: toUndoneMessage,
});

/** @param since time of the change, in milliseconds. */
export function undoChanges(text: string, ids: readonly number[], since: number): FlashMessage {
  return { text, undo: { path: undo.path, fields: { ids: ids.join(','), since } } };
}
