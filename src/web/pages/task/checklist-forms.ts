import {
  addChecklistLine,
  deleteChecklistLine,
  updateChecklistLine,
} from '../../../tasks/checklists/checklists.ts';
import {
  convertChecklistLine,
  restoreConvertedLine,
} from '../../../tasks/conversion/convert-checklist-item.ts';
import { defineForm } from '../../page-model/page.ts';
import { buildUndoneMessage } from '../task-list/undo-form.ts';

export const addChecklistItemForm = defineForm({
  name: 'addChecklistLine',
  path: '/tasks/:id/checklist/items',
  operation: addChecklistLine,
});
export const updateChecklistItemForm = defineForm({
  name: 'changeChecklistLine',
  path: '/tasks/:id/checklist/items/:itemId',
  operation: updateChecklistLine,
});
export const deleteChecklistItemForm = defineForm({
  name: 'removeChecklistLine',
  path: '/tasks/:id/checklist/items/:itemId/remove',
  operation: deleteChecklistLine,
  toInput: () => ({}),
  removal: 'undone',
  flash: ({ input: { id }, fields }) => ({
    text: 'Checklist item deleted',
    undo: { path: `/tasks/${id}/checklist/items`, fields: pickItemFields(fields) },
  }),
});

/** The form contains everything needed to restore the item. */
function pickItemFields(fields: URLSearchParams): Record<string, string> {
  return Object.fromEntries(['text', 'isDone', 'position'].map((name) => [name, fields.get(name) ?? '']));
}

export const convertChecklistItemForm = defineForm({
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
export const restoreConvertedItemForm = defineForm({
  name: 'restoreConvertedLine',
  path: '/tasks/:id/checklist/items/:itemId/restore',
  operation: restoreConvertedLine,
  flash: buildUndoneMessage,
});
