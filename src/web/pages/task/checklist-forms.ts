import {
  addChecklistLine,
  deleteChecklistLine,
  updateChecklistLine,
} from '../../../tasks/checklists/checklists.ts';
import { convertChecklistLine, restoreConvertedLine } from '../../../tasks/conversion/convert-line.ts';
import { defineForm } from '../../page-model/page.ts';
import { buildUndoneMessage } from '../task-list/undo.ts';

export const addChecklistLineForm = defineForm({
  name: 'addChecklistLine',
  path: '/tasks/:id/checklist/items',
  operation: addChecklistLine,
});
export const updateChecklistLineForm = defineForm({
  name: 'changeChecklistLine',
  path: '/tasks/:id/checklist/items/:itemId',
  operation: updateChecklistLine,
});
export const deleteChecklistLineForm = defineForm({
  name: 'removeChecklistLine',
  path: '/tasks/:id/checklist/items/:itemId/remove',
  operation: deleteChecklistLine,
  toInput: () => ({}),
  removal: 'undone',
  flash: ({ input: { id }, fields }) => ({
    text: 'Item deleted',
    undo: { path: `/tasks/${id}/checklist/items`, fields: pickLineFields(fields) },
  }),
});

/** The form contains everything needed to restore the item. */
function pickLineFields(fields: URLSearchParams): Record<string, string> {
  return Object.fromEntries(['text', 'isDone', 'position'].map((name) => [name, fields.get(name) ?? '']));
}

export const convertChecklistLineForm = defineForm({
  name: 'convertChecklistLine',
  path: '/tasks/:id/checklist/items/:itemId/convert',
  operation: convertChecklistLine,
  toInput: () => ({}),
  removal: 'undone',
  flash: ({ input: { id, itemId }, output, fields }) => ({
    text: 'Converted to a subtask',
    undo: {
      path: `/tasks/${id}/checklist/items/${itemId}/restore`,
      fields: { subtaskId: output.id, position: fields.get('position') ?? '0' },
    },
  }),
});
export const restoreConvertedLineForm = defineForm({
  name: 'restoreConvertedLine',
  path: '/tasks/:id/checklist/items/:itemId/restore',
  operation: restoreConvertedLine,
  flash: buildUndoneMessage,
});
