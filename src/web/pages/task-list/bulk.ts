import { archiveTasksInBulk, unarchiveTasksInBulk, updateTasksInBulk } from '../../../tasks/bulk/update.ts';
import { formatCount } from '../../components/time.tsx';
import { form } from '../../page-model/page.ts';
import { undoChanges } from './undo.ts';

/** In a bulk edit, an empty value means "no change", so clearing the assignee needs a value. */
export const UNASSIGNED = 'none';

export const changeTasks = form({
  name: 'changeTasks',
  path: '/tasks/bulk',
  operation: updateTasksInBulk,
  toInput: (fields) => ({ ids: parseIds(fields), set: changesOf(fields) }),
  flash: ({ input, now }) => undoOf('updated', input.ids, now),
});
export const archiveTasks = form({
  name: 'archiveTasks',
  path: '/tasks/bulk/archive',
  operation: archiveTasksInBulk,
  removal: 'undone',
  toInput: (fields) => ({ ids: parseIds(fields) }),
  flash: ({ input, now }) => undoOf('archived', input.ids, now),
});
export const restoreTasks = form({
  name: 'restoreTasks',
  path: '/tasks/bulk/restore',
  operation: unarchiveTasksInBulk,
  toInput: (fields) => ({ ids: parseIds(fields) }),
  flash: ({ input, now }) => undoOf('restored', input.ids, now),
});

function undoOf(what: string, ids: readonly number[] = [], now: number) {
  return undoChanges(`${formatCount(ids.length, 'task')} ${what}`, ids, now);
}

function parseIds(fields: URLSearchParams): unknown[] {
  const ticked = fields.getAll('ids').filter((text) => text !== '');
  return ticked.map((text) => (/^\d{1,15}$/.test(text) ? Number(text) : text));
}

function changesOf(fields: URLSearchParams): Record<string, string | null> {
  const [status, priority, assignee, deadline] = ['status', 'priority', 'assignee', 'deadline'].map((name) =>
    fields.get(name),
  );
  return {
    ...(status && { status }),
    ...(priority && { priority }),
    ...(assignee && { assigneeId: assignee === UNASSIGNED ? null : assignee }),
    ...(deadline && { deadline }),
    ...(fields.has('noDeadline') && { deadline: null }),
  };
}
