import type { EventType, FieldChange } from '../../events/log/event-types.ts';
import { names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { taskCategories, taskTypes } from '../../schema/cell/reference.ts';
import { NO_DEADLINE, tasks } from '../../schema/cell/tasks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { type HistoryField, historyFields } from './activity-types.ts';
import type { NewValues, StoredChanges, TaskChanges } from './change.queries.ts';
import { oneTask, type TaskSelection, tasksIn } from './selection.queries.ts';
import { taskPriorities, taskStatuses } from './tasks.schema.ts';

const hc = names(taskCategories, 'hc');
const hm = names(members, 'hm');
const ht = names(taskTypes, 'ht');
const t = names(tasks, 't');

/** How an event tells a column: under which field, and its value as JSON, null where there is none. */
interface ToldColumn {
  column: keyof TaskChanges;
  field: HistoryField | 'category' | 'type' | 'scheduledTime' | 'tags' | 'isArchived';
  /** Null for a text that is too long to be told. */
  show: ((value: SQL) => SQL) | null;
  /** What the column holds where the field has no value; null by default. */
  absent?: string | number;
}

const label = (labels: readonly string[]) => (index: SQL) =>
  sql`(${JSON.stringify(labels)} ->> CAST(${index} AS INTEGER))`;
const person = (member: SQL) =>
  sql`(SELECT json_object('id', ${hm.user_id}, 'name', ${hm.name}) FROM ${hm} WHERE ${hm.no} = ${member})`;
const kind = (of: typeof hc | typeof ht) => (id: SQL) =>
  sql`json((SELECT json_object('id', ${of.id}, 'value', ${of.value}) FROM ${of} WHERE ${of.id} = ${id}))`;
const asIs = (value: SQL) => value;

/** In the order in which the history tells what one change did. */
const told: readonly ToldColumn[] = [
  { column: 'status', field: 'status', show: label(taskStatuses) },
  { column: 'assignee', field: 'assignee', show: (value) => sql`json(${person(value)})`, absent: 0 },
  { column: 'priority', field: 'priority', show: label(taskPriorities) },
  { column: 'name', field: 'name', show: asIs },
  // A description may hold 100,000 characters; events say only that it changed.
  { column: 'description', field: 'description', show: null },
  { column: 'start_date', field: 'startDate', show: asIs },
  {
    column: 'due',
    field: 'deadline',
    show: (value) => sql`nullif(${value}, ${NO_DEADLINE})`,
    absent: NO_DEADLINE,
  },
  { column: 'estimated_hours', field: 'customEstimatedHours', show: asIs },
  { column: 'category', field: 'category', show: kind(hc) },
  { column: 'type', field: 'type', show: kind(ht) },
  { column: 'scheduled_time', field: 'scheduledTime', show: asIs },
  { column: 'tags', field: 'tags', show: (value) => sql`json(${value})`, absent: '[]' },
  { column: 'archived', field: 'isArchived', show: (value) => sql`json(iif(${value}, 'true', 'false'))` },
];

/** Whether a change really changes a column of the old row `t`. */
function differs(column: keyof StoredChanges, changes: NewValues): SQL {
  const isNot = sql`${t[column]} IS NOT ${changes[column] ?? null}`;
  if (column !== 'description') return isNot;
  // A row of before ADR 98 may hold a long text, which is read from many pages; its length is in the first.
  return sql`(octet_length(${t.description}) IS NOT octet_length(${changes.description ?? null}) OR ${isNot}
    OR ${t.long_text} IS NOT ${changes.long_text ?? null})`;
}

/** Condition: the change sets a column of the old row `t` to something else. */
export function changesAny(changes: NewValues): SQL {
  const columns = Object.keys(changes) as (keyof StoredChanges)[];
  return sql`(${sql.join(
    columns.map((column) => differs(column, changes)),
    sql` OR `,
  )})`;
}

/** Those of the selected tasks that the change really changes. Use it before the UPDATE. */
export function reallyChanged(selection: TaskSelection, changes: NewValues): TaskSelection {
  return { ...selection, where: sql`${selection.where} AND ${changesAny(changes)}` };
}

/** How many entries the change adds to the history of the old row `t`. */
export function historyLength(changes: NewValues): SQL {
  const counted = told.filter(
    ({ column, field }) =>
      changes[column] !== undefined && (field in historyFields || field === 'isArchived'),
  );
  if (counted.length === 0) return sql`0`;
  return sql.join(
    counted.map(({ column }) => sql`(${differs(column, changes)})`),
    sql` + `,
  );
}

/**
 * The event of each task that the change really changes, for `recordEvents`. It is told from the rows themselves, so it
 * holds before the UPDATE.
 */
export function changesOfTasks(selection: TaskSelection, changes: NewValues): SQL {
  const type =
    changes.archived === undefined ? 'task.updated' : changes.archived ? 'task.archived' : 'task.unarchived';
  const fields = told.flatMap(({ column, field, show }) => {
    const value = changes[column];
    if (value === undefined) return [];
    const values = show ? sql`'from', ${show(t[column])}, 'to', ${show(sql`${value}`)}` : sql``;
    return [sql`'${sql.raw(field)}', iif(${differs(column, changes)}, json_object(${values}), NULL)`];
  });
  return sql`
    SELECT ${type} AS type, ${t.project} AS project, ${t.id} AS task, NULL AS entity, NULL AS reader,
      ${selection.position} AS position,
      ${withoutNulls(fields)} AS changes, ${historyLength(changes)} AS entries
    FROM ${tasksIn(reallyChanged(selection, changes))}`;
}

/** The event of each new task: what it starts with. */
export function beginningOfTasks(selection: TaskSelection, copiedFrom: number | undefined): SQL {
  const fields = told
    .filter(({ field }) => field !== 'isArchived')
    .map(({ column, field, show, absent = null }) => {
      const value = t[column];
      const begins = show ? sql`json_object('to', ${show(value)})` : sql`json_object()`;
      const isAbsent = sql`${value} IS ${absent}`;
      const isEmpty = column === 'description' ? sql`${isAbsent} AND ${t.long_text} IS NULL` : isAbsent;
      return sql`'${sql.raw(field)}', iif(${isEmpty}, NULL, ${begins})`;
    });
  return sql`
    SELECT ${copiedFrom === undefined ? 'task.created' : 'task.duplicated'} AS type, ${t.project} AS project,
      ${t.id} AS task,
      ${copiedFrom ?? null} AS entity, NULL AS reader, ${selection.position} AS position,
        ${withoutNulls(fields)} AS changes, 1 AS entries
    FROM ${tasksIn(selection)}`;
}

/** What happened to a part of one task, a comment or a file; one entry of its history. */
export function eventOfTask(
  task: number,
  { type, entity, changes = {} }: { type: EventType; entity: SQL; changes?: Record<string, FieldChange> },
): SQL {
  return sql`
    SELECT ${type} AS type, ${t.project} AS project, ${t.id} AS task, ${entity} AS entity, NULL AS reader,
      0 AS position,
      ${JSON.stringify(changes)} AS changes, 1 AS entries
    FROM ${tasksIn(oneTask(task))}`;
}

/** A JSON object of the fields that have a value. Nulls inside them go as well; readers take a missing one for null. */
function withoutNulls(fields: readonly SQL[]): SQL {
  return sql`json_patch('{}', json_object(${sql.join([...fields], sql`, `)}))`;
}
