import { undoChangesOfTasks } from '../../../tasks/bulk/undo.ts';
import { type Done, form } from '../../page-model/page.ts';

/** Of one form; what names more is refused by its operation. */
const TASKS_MAX = 100;

export function undone(): Done {
  return { said: 'Undone' };
}

/** Takes back what the last form did to its tasks. */
export const undo = form({
  name: 'undo',
  path: '/undo',
  operation: undoChangesOfTasks,
  toInput: (fields) => ({
    ids: (fields.get('ids') ?? '').split(',', TASKS_MAX + 1).map(Number),
    since: Number(fields.get('since')),
  }),
  done: undone,
});

/** @param since when they were changed, in milliseconds. */
export function undoChanges(said: string, ids: readonly number[], since: number): Done {
  return { said, undo: { path: undo.path, fields: { ids: ids.join(','), since } } };
}
