import { undoTaskChanges } from '../../../tasks/bulk/undo.ts';
import { undoTaskMoves } from '../../../tasks/bulk/undo-moves.ts';
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
  toInput: toUndoInput,
  flash: buildUndoneMessage,
});
export const undoMovesForm = defineForm({
  name: 'undoMoves',
  path: '/tasks/bulk/move/undo',
  operation: undoTaskMoves,
  toInput: toUndoInput,
  flash: buildUndoneMessage,
});

export const undoForms = [undoForm, undoMovesForm];

export function buildUndoableMessage(
  text: string,
  ids: readonly number[],
  since: number,
  { path }: { path: string } = undoForm,
): FlashMessage {
  return { text, undo: { path, fields: { ids: ids.join(','), since } } };
}

function toUndoInput(fields: URLSearchParams) {
  return { ids: parseUndoneIds(fields), since: Number(fields.get('since')) };
}

export function parseUndoneIds(fields: URLSearchParams): number[] {
  return (fields.get('ids') ?? '').split(',', UNDO_TASKS_MAX + 1).map(Number);
}
