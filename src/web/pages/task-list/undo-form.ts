import { undoTaskChanges } from '../../../tasks/bulk/undo.ts';
import { defineForm, type FlashMessage } from '../../page-model/page.ts';

/** The maximum number of tasks in a form. One more id is parsed so that the operation rejects longer lists. */
const UNDO_TASKS_MAX = 100;

export function buildUndoneMessage(): FlashMessage {
  return { text: 'Undone' };
}

export const undoForm = defineForm({
  name: 'undo',
  path: '/undo',
  operation: undoTaskChanges,
  toInput: (fields) => ({
    ids: (fields.get('ids') ?? '').split(',', UNDO_TASKS_MAX + 1).map(Number),
    since: Number(fields.get('since')),
  }),
  flash: buildUndoneMessage,
});

export function buildUndoableMessage(text: string, ids: readonly number[], since: number): FlashMessage {
  return { text, undo: { path: undoForm.path, fields: { ids: ids.join(','), since } } };
}
