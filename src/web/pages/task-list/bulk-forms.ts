import { formatCount } from '../../../kernel/text/number-format.ts';
import { deleteTasksInBulk, restoreTasksInBulk } from '../../../tasks/bulk/delete.ts';
import { moveTasksInBulk } from '../../../tasks/bulk/move.ts';
import { archiveTasksInBulk, unarchiveTasksInBulk, updateSelectedTasks } from '../../../tasks/bulk/update.ts';
import { parseFieldKey } from '../../../tasks/custom-fields/field-values.ts';
import { parseTags } from '../../components/tags-field.tsx';
import { defineForm } from '../../page-model/page.ts';
import { buildUndoableMessage, parseUndoneIds, undoMovesForm } from './undo-form.ts';

/** In a bulk edit, an empty field means "no change", so "Unassigned" needs a value. */
export const UNASSIGNED = 'none';

export const updateTasksForm = defineForm({
  name: 'changeTasks',
  path: '/tasks/bulk',
  operation: updateSelectedTasks,
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

export const moveTasksForm = defineForm({
  name: 'moveTasks',
  path: '/tasks/bulk/move',
  operation: moveTasksInBulk,
  removal: 'undone',
  toInput: (fields) => ({ ids: parseSelectedIds(fields), ...parseProject(fields.get('projectId')) }),
  flash: ({ input: { ids }, output: { data }, now }) => {
    const name = data[0]?.task?.project.name ?? 'another project';
    return buildUndoableMessage(
      `${formatCount(ids.length, 'task')} moved to ${name}`,
      ids,
      now,
      undoMovesForm,
    );
  },
});
export const deleteTasksForm = defineForm({
  name: 'deleteTasks',
  path: '/tasks/bulk/delete',
  operation: deleteTasksInBulk,
  removal: 'undone',
  toInput: (fields) => ({ ids: parseSelectedIds(fields) }),
  flash: ({ input: { ids } }) => ({
    text: `${formatCount(ids.length, 'task')} moved to the trash`,
    undo: { path: restoreDeletedTasksForm.path, fields: { ids: ids.join(',') } },
  }),
});
/** Someone else may already have restored some of the tasks. */
export const restoreDeletedTasksForm = defineForm({
  name: 'restoreDeletedTasks',
  path: '/trash/restore',
  operation: restoreTasksInBulk,
  toInput: (fields) => ({ ids: parseUndoneIds(fields) }),
  fixed: { mode: 'each' },
  flash: ({ output: { meta } }) => ({
    text: [
      `${formatCount(meta.succeeded, 'task')} restored`,
      ...(meta.failed > 0 ? [`${meta.failed} no longer in the trash`] : []),
    ].join(', '),
  }),
});

export const bulkForms = [
  updateTasksForm,
  archiveTasksForm,
  restoreTasksForm,
  moveTasksForm,
  deleteTasksForm,
  restoreDeletedTasksForm,
];

function buildBulkMessage(what: string, ids: readonly number[] = [], now: number) {
  return buildUndoableMessage(`${formatCount(ids.length, 'task')} ${what}`, ids, now);
}

function parseSelectedIds(fields: URLSearchParams): unknown[] {
  const selected = fields.getAll('ids').filter((text) => text !== '');
  return selected.map((text) => (/^\d{1,15}$/.test(text) ? Number(text) : text));
}

const parseProject = (project: string | null) => (project ? { projectId: Number(project) } : {});

function parseBulkChanges(fields: URLSearchParams): Record<string, unknown> {
  const [status, priority, assignee, deadline, dueTime] = [
    'status',
    'priority',
    'assignee',
    'deadline',
    'dueTime',
  ].map((name) => fields.get(name));
  const [addTags, removeTags] = ['addTags', 'removeTags'].map((name) => parseTags(fields.get(name)));
  const fieldTexts = parseFieldTexts(fields);
  return {
    ...(status && { status }),
    ...(priority && { priority }),
    ...(assignee && { assigneeId: assignee === UNASSIGNED ? null : assignee }),
    ...(deadline && { deadline }),
    ...(dueTime && { dueTime }),
    ...(addTags?.length && { addTags }),
    ...(removeTags?.length && { removeTags }),
    ...(fields.has('noDeadline') && { deadline: null }),
    ...(Object.keys(fieldTexts).length > 0 && { fieldTexts }),
    ...parseClearedField(fields.get('clear')),
  };
}

/** A project can't have this many fields, so the operation still rejects forms with too many of them. */
const FIELDS_PARSED_MAX = 50;

function parseFieldTexts(fields: URLSearchParams): Record<string, string[]> {
  const names = [...new Set(fields.keys())]
    .filter((name) => parseFieldKey(name) !== null)
    .slice(0, FIELDS_PARSED_MAX);
  const texts = names.map((name) => [name, fields.getAll(name).filter((text) => text !== '')] as const);
  return Object.fromEntries(texts.filter(([, values]) => values.length > 0));
}

function parseClearedField(name: string | null): Record<string, unknown> {
  if (name === 'dueTime') return { dueTime: null };
  return name && parseFieldKey(name) !== null ? { customFields: { [name]: null } } : {};
}
