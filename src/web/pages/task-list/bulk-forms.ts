import { formatCount } from '../../../kernel/text/number-format.ts';
import { archiveTasksInBulk, unarchiveTasksInBulk, updateTasksInBulk } from '../../../tasks/bulk/update.ts';
import { defineForm } from '../../page-model/page.ts';
import { buildUndoableMessage } from './undo-form.ts';

/** In a bulk edit, an empty field means "no change", so "Unassigned" needs a value. */
export const UNASSIGNED = 'none';

export const updateTasksForm = defineForm({
  name: 'changeTasks',
  path: '/tasks/bulk',
  operation: updateTasksInBulk,
  toInput: (fields) => ({ ids: parseSelectedIds(fields), set: parseBulkChanges(fields) }),
  flash: ({ input, now }) => buildBulkMessage('updated', input.ids, now),
});
export const archiveTasksForm = defineForm({
  name: 'archiveTasks',
  path: '/tasks/bulk/archive',
  operation: archiveTasksInBulk,
  removal: 'undone',
  toInput: (fields) => ({ ids: parseSelectedIds(fields) }),
  flash: ({ input, now }) => buildBulkMessage('archived', input.ids, now),
});
export const restoreTasksForm = defineForm({
  name: 'restoreTasks',
  path: '/tasks/bulk/restore',
  operation: unarchiveTasksInBulk,
  toInput: (fields) => ({ ids: parseSelectedIds(fields) }),
  flash: ({ input, now }) => buildBulkMessage('restored', input.ids, now),
});

function buildBulkMessage(what: string, ids: readonly number[] = [], now: number) {
  return buildUndoableMessage(`${formatCount(ids.length, 'task')} ${what}`, ids, now);
}

function parseSelectedIds(fields: URLSearchParams): unknown[] {
  const selected = fields.getAll('ids').filter((text) => text !== '');
  return selected.map((text) => (/^\d{1,15}$/.test(text) ? Number(text) : text));
}

function parseBulkChanges(fields: URLSearchParams): Record<string, string | null> {
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
