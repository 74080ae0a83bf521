import { type FieldValue, mergeValues } from '../tasks/custom-fields/field-values.ts';
import { fields, type MemberNumbers, type NamedField, toColumnValues } from '../tasks/field-values.ts';
import type { BulkTaskState } from '../tasks/model/bulk-states.queries.ts';
import type { TaskChanges } from '../tasks/model/change.queries.ts';
import {
  describeLaterChange,
  findSessionChange,
  type LogEntry,
  TOO_MANY_CHANGES_REASON,
} from './log-entries.ts';

export interface FieldPlan {
  readonly outcome: 'undo' | 'done' | 'kept' | 'impossible';
  readonly reason: string | null;
  readonly columns: TaskChanges;
}

export const archiveField = fields.find(({ name }) => name === 'isArchived') as NamedField;

export function planFieldUndo(
  field: NamedField,
  task: BulkTaskState,
  log: readonly LogEntry[],
  isTruncated: boolean,
  members: MemberNumbers,
): FieldPlan | null {
  const entries = log.filter(({ changes }) => field.name in changes);
  const found = findSessionChange(field.name, entries);
  if (!found) return null;
  if (field.stored === 'custom') return planCustomFieldsUndo(field, task, entries, isTruncated);
  const { first, last, other, isRestored, isOverwritten } = found;
  const keep = (reason: string): FieldPlan => ({ outcome: 'kept', reason, columns: {} });
  const wanted = toFieldColumns(field, first, 'from', members);
  if (wanted === 'left')
    return { outcome: 'impossible', reason: 'The person has left the workspace.', columns: {} };
  if (wanted === null) {
    return isRestored
      ? { outcome: 'done', reason: null, columns: {} }
      : { outcome: 'impossible', reason: 'The previous text was too long to keep.', columns: {} };
  }
  const isText = field.stored === 'html';
  if ((isText && isRestored) || hasColumnValues(task, wanted))
    return { outcome: 'done', reason: null, columns: {} };
  if (isOverwritten) return keep(describeLaterChange(other?.actor ?? null));
  if (isTruncated) return keep(TOO_MANY_CHANGES_REASON);
  // Some changes have no history entry, so the stored value is compared too.
  const left = toFieldColumns(field, last, 'to', members);
  if (!isText && left !== 'left' && left !== null && !hasColumnValues(task, left))
    return keep(describeLaterChange(null));
  return { outcome: 'undo', reason: null, columns: wanted };
}

function planCustomFieldsUndo(
  { name }: NamedField,
  task: BulkTaskState,
  entries: readonly LogEntry[],
  isTruncated: boolean,
): FieldPlan {
  const getValues = ({ changes }: LogEntry, side: 'from' | 'to') =>
    (changes[name]?.[side] ?? {}) as Record<string, FieldValue>;
  const own = entries.filter(({ isOwn }) => isOwn);
  if (own.some(({ changes }) => changes[name] === null))
    return { outcome: 'impossible', reason: 'The previous values were too long to keep.', columns: {} };
  const wanted: Record<string, FieldValue | null> = {};
  const left: Record<string, FieldValue | null> = {};
  for (const entry of own) {
    const [from, to] = [getValues(entry, 'from'), getValues(entry, 'to')];
    for (const key of Object.keys({ ...from, ...to })) {
      wanted[key] = Object.hasOwn(wanted, key) ? (wanted[key] ?? null) : (from[key] ?? null);
      left[key] = to[key] ?? null;
    }
  }
  const columns = { field_values: mergeValues(task.field_values, wanted) };
  if (hasColumnValues(task, columns)) return { outcome: 'done', reason: null, columns: {} };
  const other = entries.findLast(
    (entry) =>
      !entry.isOwn &&
      !entry.isUndo &&
      Object.keys({ ...getValues(entry, 'from'), ...getValues(entry, 'to') }).some((key) => key in left),
  );
  const isAsLeft = hasColumnValues(task, { field_values: mergeValues(task.field_values, left) });
  if (isTruncated) return { outcome: 'kept', reason: TOO_MANY_CHANGES_REASON, columns: {} };
  return isAsLeft
    ? { outcome: 'undo', reason: null, columns }
    : { outcome: 'kept', reason: describeLaterChange(other?.actor ?? null), columns: {} };
}

/** Returns `left` if the value is a person who has left, and null if the log didn't store the value. */
function toFieldColumns(
  field: NamedField,
  { changes, replaced }: LogEntry,
  side: 'from' | 'to',
  members: MemberNumbers,
): TaskChanges | 'left' | null {
  const { name, inputName, stored } = field;
  if (stored === 'html') {
    if (side === 'to' || !(name in replaced)) return null;
    return { description: replaced[name] as string | null };
  }
  const value = changes[name]?.[side] ?? null;
  const id = value !== null && typeof value === 'object' && 'id' in value ? value.id : value;
  if (stored === 'members') return toOtherAssignees(value as readonly { id: string }[] | null, members);
  if (stored !== 'member') return toColumnValues({ [inputName]: id });
  if (id !== null && !members.has(String(id))) return 'left';
  return toColumnValues({ assigneeId: id === null ? null : String(id) }, members);
}

function toOtherAssignees(
  people: readonly { id: string }[] | null,
  members: MemberNumbers,
): TaskChanges | 'left' {
  const others = (people ?? []).slice(1).map(({ id }) => members.get(id));
  return others.includes(undefined) ? 'left' : { other_assignees: JSON.stringify(others) };
}

function hasColumnValues(task: BulkTaskState, columns: TaskChanges): boolean {
  return Object.entries(columns).every(([column, value]) => task[column as keyof BulkTaskState] === value);
}
