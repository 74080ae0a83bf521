import { deleteRecurrence, setRecurrence } from '../../../tasks/operations/recurrence.ts';
import { defineForm } from '../../page-model/page.ts';

export const setRecurrenceForm = defineForm({
  name: 'repeatTask',
  path: '/tasks/:id/recurrence',
  operation: setRecurrence,
  toInput: (fields) => ({
    rule: fields.get('rule'),
    mode: fields.get('mode'),
    // The form always sends the days, but they apply only in `completion` mode.
    days: fields.get('mode') === 'completion' && fields.get('days') ? Number(fields.get('days')) : null,
  }),
});
export const deleteRecurrenceForm = defineForm({
  name: 'stopRepeating',
  path: '/tasks/:id/recurrence/remove',
  operation: deleteRecurrence,
  toInput: () => ({}),
  removal: 'undone',
  flash: ({ input: { id }, fields }) => ({
    text: 'No longer repeats',
    undo: {
      path: `/tasks/${id}/recurrence`,
      fields: Object.fromEntries(['rule', 'mode', 'days'].map((name) => [name, fields.get(name) ?? ''])),
    },
  }),
});
