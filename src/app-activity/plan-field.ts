import { toChanges } from '../events/feed/events.present.ts';
import type { FieldChange } from '../events/log/event-types.ts';
import { type FieldValue, mergeValues } from '../tasks/custom-fields/field-values.ts';
import { fields, type NamedField, toColumns } from '../tasks/field-values.ts';
import type { BulkTaskState } from '../tasks/model/bulk-states.queries.ts';
import type { TaskChanges } from '../tasks/model/change.queries.ts';
import type { AppChange, HistoryEntry } from './app-activity.queries.ts';

/** The numbers of active members by user id. */
export type Members = ReadonlyMap<string, number>;

export interface LogEntry {
  readonly seq: number;
  readonly isOwn: boolean;
  /** Also true for changes of the app that are outside the range. */
  readonly isOfApp: boolean;
  readonly isUndo: boolean;
  readonly type: string;
  readonly entity: number | null;
  readonly changes: Readonly<Record<string, FieldChange>>;
  readonly replaced: Readonly<Record<string, unknown>>;
  readonly actor: string | null;
}

/** Combines both lists, because the history has no entries for some changes, such as those of the category. */
export function mergeEntries(changes: readonly AppChange[], history: readonly HistoryEntry[]): LogEntry[] {
  const bySeq = new Map<number, LogEntry>();
  const parse = ({ seq, type, entity, changes: stored, replaced }: AppChange | HistoryEntry) => ({
    seq,
    type,
    entity,
    changes: toChanges(stored),
    replaced: JSON.parse(replaced ?? '{}') as Record<string, unknown>,
  });
  for (const each of changes)
    bySeq.set(each.seq, { ...parse(each), isOwn: true, isOfApp: true, isUndo: false, actor: null });
  for (const each of history) {
    bySeq.set(each.seq, {
      ...parse(each),
      isOwn: each.is_own === 1,
      isOfApp: each.is_of_app === 1,
      isUndo: each.is_undo === 1,
      actor: each.actor,
    });
  }
  return [...bySeq.values()].toSorted((one, other) => one.seq - other.seq);
}

export interface FieldPlan {
  readonly outcome: 'undo' | 'done' | 'kept' | 'impossible';
  readonly reason: string | null;
  readonly columns: TaskChanges;
}

export const archiveField = fields.find(({ name }) => name === 'isArchived') as NamedField;
export const TOO_MANY_CHANGES = 'The task has changed too often since.';

/** Returns null if the app hasn't changed the field. */
export function planField(
  field: NamedField,
  task: BulkTaskState,
  log: readonly LogEntry[],
  isTruncated: boolean,
  members: Members,
): FieldPlan | null {
  const entries = log.filter(({ changes }) => field.name in changes);
  if (!entries.some(({ isOwn }) => isOwn)) return null;
  if (field.stored === 'custom') return planCustomFields(field, task, entries, isTruncated);
  const other = entries.findLast(
    (entry) => !entry.isOwn && !entry.isUndo && !isUndoneSince(field, entry, entries),
  );
  const own = entries.filter(({ isOwn }) => isOwn);
  const latest = own.filter(({ seq }) => seq > (other?.seq ?? 0));
  const [first] = latest.length > 0 ? latest : own;
  const last = entries.findLast(({ isOwn, isUndo }) => isOwn || isUndo);
  if (!first || !last) return null;
  const keep = (reason: string): FieldPlan => ({ outcome: 'kept', reason, columns: {} });
  const wanted = toFieldColumns(field, first, 'from', members);
  const isBack = last.isUndo && (other?.seq ?? 0) < last.seq;
  if (wanted === 'left')
    return { outcome: 'impossible', reason: 'The person has left the workspace.', columns: {} };
  if (wanted === null) {
    return isBack
      ? { outcome: 'done', reason: null, columns: {} }
      : { outcome: 'impossible', reason: 'The former text was too long to keep.', columns: {} };
  }
  const isText = field.stored === 'html';
  if ((isText && isBack) || matches(task, wanted)) return { outcome: 'done', reason: null, columns: {} };
  if (latest.length === 0) return keep(describeAuthor(other?.actor ?? null));
  if (isTruncated) return keep(TOO_MANY_CHANGES);
  // Fields without history entries, and numbers of former members, are compared with the stored task.
  const left = toFieldColumns(field, last, 'to', members);
  if (!isText && left !== 'left' && left !== null && !matches(task, left)) return keep(describeAuthor(null));
  return { outcome: 'undo', reason: null, columns: wanted };
}

/** Restores each custom field separately, so that changes of other fields stay. */
function planCustomFields(
  { name }: NamedField,
  task: BulkTaskState,
  entries: readonly LogEntry[],
  isTruncated: boolean,
): FieldPlan {
  const valuesOf = ({ changes }: LogEntry, side: 'from' | 'to') =>
    (changes[name]?.[side] ?? {}) as Record<string, FieldValue>;
  const own = entries.filter(({ isOwn }) => isOwn);
  if (own.some(({ changes }) => changes[name] === null))
    return { outcome: 'impossible', reason: 'The former values were too long to keep.', columns: {} };
  const wanted: Record<string, FieldValue | null> = {};
  const left: Record<string, FieldValue | null> = {};
  for (const entry of own) {
    const [from, to] = [valuesOf(entry, 'from'), valuesOf(entry, 'to')];
    for (const key of Object.keys({ ...from, ...to })) {
      wanted[key] = Object.hasOwn(wanted, key) ? (wanted[key] ?? null) : (from[key] ?? null);
      left[key] = to[key] ?? null;
    }
  }
  const columns = { field_values: mergeValues(task.field_values, wanted) };
  if (matches(task, columns)) return { outcome: 'done', reason: null, columns: {} };
  const other = entries.findLast(
    (entry) =>
      !entry.isOwn &&
      !entry.isUndo &&
      Object.keys({ ...valuesOf(entry, 'from'), ...valuesOf(entry, 'to') }).some((key) => key in left),
  );
  const isAsLeft = matches(task, { field_values: mergeValues(task.field_values, left) });
  if (isTruncated) return { outcome: 'kept', reason: TOO_MANY_CHANGES, columns: {} };
  return isAsLeft
    ? { outcome: 'undo', reason: null, columns }
    : { outcome: 'kept', reason: describeAuthor(other?.actor ?? null), columns: {} };
}

/** True if another session of the app made this change, and undoing it has brought back the value from this session. */
function isUndoneSince({ name }: NamedField, entry: LogEntry, entries: readonly LogEntry[]): boolean {
  const before = entries.findLast(({ isOwn, seq }) => isOwn && seq < entry.seq);
  const left = JSON.stringify(before?.changes[name]?.to);
  return (
    entry.isOfApp &&
    before !== undefined &&
    entries.some(
      ({ isUndo, seq, changes }) => isUndo && seq > entry.seq && JSON.stringify(changes[name]?.to) === left,
    )
  );
}

/** Returns `left` if the value is a former member, and null if the value wasn't kept. */
function toFieldColumns(
  field: NamedField,
  { changes, replaced }: LogEntry,
  side: 'from' | 'to',
  members: Members,
): TaskChanges | 'left' | null {
  const { name, inputName, stored } = field;
  if (stored === 'html') {
    if (side === 'to' || !(name in replaced)) return null;
    return { description: replaced[name] as string | null };
  }
  const value = changes[name]?.[side] ?? null;
  const id = value !== null && typeof value === 'object' && 'id' in value ? value.id : value;
  if (stored !== 'member') return toColumns({ [inputName]: id }, 0);
  const member = id === null ? 0 : members.get(String(id));
  return member === undefined ? 'left' : toColumns({ [inputName]: id }, member);
}

function matches(task: BulkTaskState, columns: TaskChanges): boolean {
  return Object.entries(columns).every(([column, value]) => task[column as keyof BulkTaskState] === value);
}

export function describeAuthor(name: string | null): string {
  return name === null ? 'Someone else has changed it since.' : `${name} has changed it since.`;
}
