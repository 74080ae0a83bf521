// This file is long because the events for all kinds of changes to a task share their shape.
import type { EventType, FieldChange } from '../../events/log/event-types.ts';
import { toStorableChanges } from '../../events/log/record.queries.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { taskCategories, taskTypes } from '../../schema/cell/reference.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { fields, type NamedField } from '../field-values.ts';
import { selectDescription, selectDescriptionBytes } from '../texts/task-texts.queries.ts';
import type { TaskAlias } from '../visibility/task-visibility.queries.ts';
import type { StoredChanges } from './change.queries.ts';
import { type NewValues, type ResolvedValues, resolveValues } from './new-values.queries.ts';
import {
  buildSelectionFromClause,
  filterTasks,
  selectOneTask,
  type TaskSelection,
} from './selection.queries.ts';

const c = aliasTable(comments, 'c');
const hc = aliasTable(taskCategories, 'hc');
const hm = aliasTable(members, 'hm');
const ht = aliasTable(taskTypes, 'ht');
const t = aliasTable(tasks, 't');

const selectLabel = (value: SQL, names: readonly string[]) =>
  sql`(${JSON.stringify(names)} ->> CAST(${value} AS INTEGER))`;
const selectPerson = (member: SQL) =>
  sql`(SELECT json_object('id', ${hm.user_id}, 'name', ${hm.name}) FROM ${hm} WHERE ${hm.no} = ${member})`;
const selectReference = (of: typeof hc | typeof ht, id: SQL) =>
  sql`json((SELECT json_object('id', ${of.id}, 'value', ${of.value}) FROM ${of} WHERE ${of.id} = ${id}))`;

const selectAssignees = (first: SQL, others: SQL) => sql`(
  SELECT json_group_array(json_object('id', ${hm.user_id}, 'name', ${hm.name}) ORDER BY n.key)
  FROM (SELECT -1 AS key, ${first} AS value UNION ALL SELECT key, value FROM json_each(${others})) n
  CROSS JOIN ${hm} ON ${hm.no} = n.value)`;

/** Formats each kind of field for an event. `first` is the first assignee. */
const valueFormatters: Readonly<
  Record<NamedField['stored'], ((value: SQL, field: NamedField, first: SQL) => SQL) | null>
> = {
  text: (value, { empty }) => (empty === undefined ? value : sql`nullif(${value}, ${empty})`),
  // An event records only that the description changed, because a description can have 100,000 characters.
  html: null,
  index: (value, { names = [] }) => selectLabel(value, names),
  json: (value) => sql`json(${value})`,
  flag: (value) => sql`json(iif(${value}, 'true', 'false'))`,
  member: (value) => sql`json(${selectPerson(value)})`,
  members: (value, _field, first) => sql`json(${selectAssignees(first, value)})`,
  category: (value) => selectReference(hc, value),
  type: (value) => selectReference(ht, value),
  task: (value) => sql`json(iif(${value} IS NULL, NULL, json_object('id', CAST(${value} AS INTEGER))))`,
  custom: (value) => sql`json(${value})`,
};

const fieldsInHistoryOrder = fields.toSorted((one, other) => one.place - other.place);

function isChanged(t: TaskAlias, column: keyof StoredChanges, changes: ResolvedValues): SQL {
  const isNot = sql`${t[column]} IS NOT ${changes[column] ?? null}`;
  if (column !== 'description') return isNot;
  // Compares sizes first, to avoid reading a long description. Rows from before migration 0006 can still contain one.
  return sql`(octet_length(${t.description}) IS NOT octet_length(${changes.description ?? null}) OR ${isNot}
    OR ${t.long_text} IS NOT ${changes.long_text ?? null})`;
}

export function hasChanges(t: TaskAlias, changes: NewValues): SQL {
  const values = resolveValues(t, changes);
  const columns = Object.keys(changes) as (keyof StoredChanges)[];
  return sql`(${sql.join(
    columns.map((column) => isChanged(t, column, values)),
    sql` OR `,
  )})`;
}

/** Must run before the tasks change. */
export function filterChangedTasks(selection: TaskSelection, changes: NewValues): TaskSelection {
  return filterTasks(selection, (t) => hasChanges(t, changes));
}

export function countHistoryEntries(t: TaskAlias, changes: NewValues): SQL {
  const values = resolveValues(t, changes);
  const counted = fieldsInHistoryOrder.filter(
    ({ column, entry }) => changes[column] !== undefined && (entry !== undefined || column === 'archived'),
  );
  if (counted.length === 0) return sql`0`;
  return sql.join(
    counted.map(({ column }) => sql`(${isChanged(t, column, values)})`),
    sql` + `,
  );
}

/**
 * Builds the SELECT for `recordEvents`. Must run before the tasks change, because it compares the new values with the
 * stored ones.
 * @param replacedBytesMax the maximum size of a description in `replaced`. If undefined, `replaced` isn't selected.
 */
export function selectChangeEvents(
  selection: TaskSelection,
  changes: NewValues,
  replacedBytesMax?: number,
): SQL {
  const values = resolveValues(t, changes);
  const type =
    changes.archived === undefined ? 'task.updated' : changes.archived ? 'task.archived' : 'task.unarchived';
  const changed = fieldsInHistoryOrder.flatMap((field) => {
    const { name, column, stored } = field;
    const value = values[column];
    if (value === undefined) return [];
    if (stored === 'custom')
      return [sql`'${sql.raw(name)}', ${selectFieldChanges(t[column], sql`${value}`)}`];
    const show = valueFormatters[stored];
    const first = sql`${values.assignee ?? t.assignee}`;
    const shown = show
      ? sql`'from', ${show(t[column], field, t.assignee)}, 'to', ${show(sql`${value}`, field, first)}`
      : sql``;
    return [sql`'${sql.raw(name)}', iif(${isChanged(t, column, values)}, json_object(${shown}), NULL)`];
  });
  return sql`
    SELECT ${type} AS type, ${t.project} AS project, ${t.id} AS task, NULL AS entity, NULL AS reader,
      ${selection(t).position} AS position,
      ${dropNulls(changed)} AS changes, ${countHistoryEntries(t, changes)} AS entries
      ${replacedBytesMax === undefined ? sql`` : sql`, ${selectReplacedDescription(values, replacedBytesMax)} AS replaced`}
    FROM ${buildSelectionFromClause(t, filterChangedTasks(selection, changes))}`;
}

function selectReplacedDescription(changes: ResolvedValues, bytesMax: number): SQL {
  return sql`iif(${isChanged(t, 'description', changes)} AND ${selectDescriptionBytes(t)} <= ${bytesMax},
    json_object('description', ${selectDescription(t)}), NULL)`;
}

/** Custom field changes above this size are recorded without their values, to keep events small. */
const FIELD_CHANGES_BYTES_MAX = 4_000;

/**
 * Selects only the custom fields that differ, or null if none do. `after` is materialized, because it can be an
 * expensive lookup.
 */
function selectFieldChanges(before: SQL, after: SQL): SQL {
  const pick = (own: SQL, other: SQL) => sql`(
    SELECT json_group_object(j.key, json(${own} -> ('$.' || j.key))) FROM json_each(coalesce(${own}, '{}')) j
    WHERE ${own} -> ('$.' || j.key) IS NOT ${other} -> ('$.' || j.key))`;
  const [from, to] = [pick(sql`v.before`, sql`v.after`), pick(sql`v.after`, sql`v.before`)];
  return sql`json((WITH v (before, after) AS MATERIALIZED (SELECT ${before}, ${after}),
      c (before, after) AS MATERIALIZED (SELECT nullif(${from}, '{}'), nullif(${to}, '{}') FROM v)
    SELECT iif(c.before IS NULL AND c.after IS NULL, NULL,
      iif(octet_length(c.before || '') > ${FIELD_CHANGES_BYTES_MAX} OR octet_length(c.after || '') > ${FIELD_CHANGES_BYTES_MAX},
        '{}', json_object('from', json(c.before), 'to', json(c.after)))) FROM c))`;
}

/** @param originals for each new task, the id of the task that was copied. Empty if the new tasks aren't copies. */
/** `sender` is the person who sent an intake form, which creates a single task. */
export function selectCreationEvents(
  selection: TaskSelection,
  originals: readonly number[],
  sender?: string,
): SQL {
  const { position } = selection(t);
  const isCopied = originals.length > 0;
  const original = sql`json_extract(${JSON.stringify(originals)}, '$[' || (${position}) || ']')`;
  const begun = fieldsInHistoryOrder
    .filter(({ column }) => column !== 'archived')
    .map((field) => {
      const value = t[field.column];
      const show = valueFormatters[field.stored];
      const begins =
        field.stored === 'custom'
          ? selectFieldChanges(sql`NULL`, value)
          : show
            ? sql`json_object('to', ${show(value, field, t.assignee)})`
            : sql`json_object()`;
      const isAbsent = sql`${value} IS ${field.empty ?? null}`;
      const isEmpty = field.column === 'description' ? sql`${isAbsent} AND ${t.long_text} IS NULL` : isAbsent;
      return sql`'${sql.raw(field.name)}', iif(${isEmpty}, NULL, ${begins})`;
    });
  if (sender !== undefined) begun.push(sql`'sender', json_object('to', ${sender})`);
  return sql`
    SELECT ${isCopied ? 'task.duplicated' : 'task.created'} AS type, ${t.project} AS project,
      ${t.id} AS task,
      ${isCopied ? original : sql`NULL`} AS entity, NULL AS reader, ${position} AS position,
        ${dropNulls(begun)} AS changes, 1 AS entries
    FROM ${buildSelectionFromClause(t, selection)}`;
}

export function selectTaskEvent(
  task: number,
  {
    type,
    entity = sql`NULL`,
    changes = {},
    replaced,
  }: { type: EventType; entity?: SQL; changes?: Record<string, FieldChange>; replaced?: object | undefined },
): SQL {
  return sql`
    SELECT ${type} AS type, ${t.project} AS project, ${t.id} AS task, ${entity} AS entity, NULL AS reader,
      0 AS position,
      ${JSON.stringify(toStorableChanges(changes))} AS changes, 1 AS entries
      ${replaced ? sql`, ${JSON.stringify(replaced)} AS replaced` : sql``}
    FROM ${buildSelectionFromClause(t, selectOneTask(task))}`;
}

export interface TaskEventDraft {
  task: number;
  changes: Record<string, FieldChange>;
  /** Previous values that an undo needs and that `changes` doesn't contain. Null if they are too long to store. */
  replaced?: unknown;
}

export function selectTaskEvents(changed: readonly TaskEventDraft[]): SQL {
  const type: EventType = 'task.updated';
  const rows = changed.map(({ task, changes, replaced = null }) => [
    task,
    toStorableChanges(changes),
    replaced,
  ]);
  return sql`
    SELECT ${type} AS type, ${t.project} AS project, ${t.id} AS task, NULL AS entity, NULL AS reader,
      d.key AS position, d.value -> 1 AS changes, 1 AS entries, d.value ->> 2 AS replaced
    FROM json_each(${JSON.stringify(rows)}) d CROSS JOIN ${t} NOT INDEXED ON ${t.id} = d.value ->> 0`;
}

/** @param ids a SELECT of new comments. */
export function selectNewCommentEvents(ids: SQL): SQL {
  const type: EventType = 'comment.created';
  return sql`
    SELECT ${type} AS type, ${t.project} AS project, ${t.id} AS task, ${c.id} AS entity, NULL AS reader,
      row_number() OVER (ORDER BY ${c.id}) - 1 AS position, '{}' AS changes, 1 AS entries
    FROM ${c} CROSS JOIN ${t} NOT INDEXED ON ${t.id} = ${c.task} WHERE ${c.id} IN ${ids}`;
}

export function selectDeletedCommentEvents(
  ws: number,
  deleted: readonly { id: number; task: number }[],
): SQL {
  const rows = JSON.stringify(deleted.map(({ id, task }) => [id, task]));
  const type: EventType = 'comment.deleted';
  return sql`
    SELECT ${type} AS type, ${t.project} AS project, ${t.id} AS task, d.value ->> 0 AS entity, NULL AS reader,
      d.key AS position, '{}' AS changes, 1 AS entries
    FROM json_each(${rows}) d CROSS JOIN ${t} NOT INDEXED ON ${t.id} = d.value ->> 1 AND ${t.ws} = ${ws}`;
}

export interface EventDrafts {
  drafts: SQL;
  count: number;
  hasReplaced: boolean;
}

export function joinEvents(parts: readonly EventDrafts[]): SQL {
  let before = 0;
  const selects = parts.map(({ drafts, count, hasReplaced }) => {
    const select = sql`
      SELECT e.type AS type, e.project AS project, e.task AS task, e.entity AS entity, e.reader AS reader,
        e.position + ${sql.raw(String(before))} AS position, e.changes AS changes, e.entries AS entries,
        ${sql.raw(hasReplaced ? 'e.replaced' : 'NULL')} AS replaced
      FROM (${drafts}) e`;
    before += count;
    return select;
  });
  return sql.join(selects, sql` UNION ALL `);
}

/** Also removes nulls inside the fields, because readers treat a missing value as null. */
function dropNulls(fields: readonly SQL[]): SQL {
  return sql`json_patch('{}', json_object(${sql.join([...fields], sql`, `)}))`;
}
