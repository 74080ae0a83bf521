import { isAfterFirstEvent } from '../../events/log/task-events.queries.ts';
import type { Caller } from '../../kernel/access/access.ts';
import { buildLimit, type PageRange } from '../../kernel/lists/pagination.ts';
import { readNumber, readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { events } from '../../schema/cell/events.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { selectFieldTexts } from '../custom-fields/field-texts.queries.ts';
import {
  type ActivityType,
  historyPositions,
  historyTypeByEvent,
  historyTypeByField,
} from '../model/activity-types.ts';
import { isProjectVisible } from '../visibility/project-visibility.queries.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';

const e = aliasTable(events, 'e');
const m = aliasTable(members, 'm');
const pp = aliasTable(projects, 'pp');
const pt = aliasTable(tasks, 'pt');
const t = aliasTable(tasks, 't');

/** An entry's id is its event's `seq` times this number, plus the entry's position in the event. */
const ENTRIES_PER_EVENT_MAX = 16;

const toJsonLiteral = (value: unknown) => sql.raw(`'${JSON.stringify(value)}'`);
const isTaskUpdate = sql`${e.type} = 'task.updated'`;
const isCreation = sql`${e.type} = 'task.created'`;
const isMove = sql`${e.type} = 'task.moved'`;
const isFileEvent = sql`${e.type} IN ('attachment.created', 'attachment.deleted')`;

const isCommentEvent = sql`${e.type} IN ('comment.created', 'comment.updated', 'comment.deleted')`;

/** In the expressions below, `e` is the event and `d` is one of its recorded changes. */
const entryPosition = sql`iif(${isTaskUpdate}, ${toJsonLiteral(historyPositions)} ->> d.key, 0)`;
const entryId = sql`(${e.seq} * ${sql.raw(String(ENTRIES_PER_EVENT_MAX))} + ${entryPosition})`;
const entryType = sql`iif(${isTaskUpdate}, ${toJsonLiteral(historyTypeByField)} ->> d.key, ${toJsonLiteral(historyTypeByEvent)} ->> ${e.type})`;
const entryField = sql`iif(${isTaskUpdate} OR ${isMove}, d.key, iif(${isFileEvent}, 'attachment', NULL))`;
/**
 * A move creates a single entry, no matter what else changes. So does a creation, whose entry contains the sender of an
 * intake form.
 */
const recordedChanges = sql`iif(${isMove}, json_object('project', json(${e.changes} -> '$.project')),
  iif(${isCreation}, json_object('sender', json(${e.changes} -> '$.sender')),
  iif(${isTaskUpdate} OR ${isFileEvent}, ${e.changes}, '{"":null}')))`;

/**
 * Selects the recorded value: an id for people, tasks and projects, a type and an id for relations, a rule for
 * recurrences, text for custom fields, and otherwise the value itself. Selects null for tasks and projects that the
 * caller can't see.
 */
function selectRecordedValue(caller: Caller, end: 'from' | 'to'): SQL {
  const path = sql.raw(`'$.${end}'`);
  const id = sql`d.value ->> ${sql.raw(`'$.${end}.id'`)}`;
  const task = sql`(SELECT CAST(${pt.id} AS TEXT) FROM ${pt} WHERE ${pt.id} = ${id} AND ${isTaskVisible(pt, caller)})`;
  const type = sql`d.value ->> ${sql.raw(`'$.${end}.type'`)}`;
  const related = sql`(SELECT ${type} || ' ' || ${pt.id} FROM ${pt}
    WHERE ${pt.id} = d.value ->> ${sql.raw(`'$.${end}.task.id'`)} AND ${isTaskVisible(pt, caller)})`;
  const project = sql`(SELECT CAST(${pp.id} AS TEXT) FROM ${pp}
    WHERE ${pp.ws} = ${caller.workspace} AND ${pp.id} = ${id} AND ${isProjectVisible(caller, pp.id)})`;
  return sql`iif(${isTaskUpdate} OR ${isFileEvent} OR ${isMove} OR ${isCreation},
    CASE d.key
      WHEN 'assignee' THEN ${id}
      WHEN 'parent' THEN ${task}
      WHEN 'recurrence' THEN d.value ->> ${sql.raw(`'$.${end}.rule'`)}
      WHEN 'relations' THEN ${related}
      WHEN 'customFields' THEN ${selectFieldTexts(caller, sql`d.value -> ${path}`)}
      WHEN 'project' THEN ${project}
      WHEN 'assignees' THEN (SELECT nullif(group_concat(g.value ->> 'id', ', '), '') FROM json_each(d.value, ${path}) g)
      WHEN 'tags' THEN (SELECT group_concat(g.value, ', ') FROM json_each(d.value, ${path}) g)
      ELSE d.value ->> ${path} END,
    NULL)`;
}

const activityColumns = {
  id: withType<number>(entryId),
  type: withType<ActivityType>(entryType),
  field: withType<string | null>(entryField),
  actor_id: m.user_id,
  actor_name: m.name,
  actor_email: m.email,
  via: e.via,
  comment_id: withType<number | null>(sql`iif(${isCommentEvent}, ${e.entity}, NULL)`),
  created_at: e.occurred_at,
};

const selectActivityColumns = (caller: Caller) =>
  selectColumns({
    ...activityColumns,
    from_value: withType<string | null>(selectRecordedValue(caller, 'from')),
    to_value: withType<string | null>(selectRecordedValue(caller, 'to')),
  });
export type ActivityRow = Row<ReturnType<typeof selectActivityColumns>>;

export function listActivities(caller: Caller, task: number, range: PageRange): Statement<ActivityRow[]> {
  return readRows(selectActivities(caller, task, range));
}

export function selectActivities(caller: Caller, task: number, range: PageRange) {
  const [last] = range.after ?? [];
  // A condition on `seq` narrows the index range, unlike a condition on the entry id.
  const after =
    last === undefined
      ? sql`true`
      : sql`${e.seq} <= ${Math.floor(Number(last) / ENTRIES_PER_EVENT_MAX)} AND ${entryId} < ${last}`;
  const entries = sql`
    CROSS JOIN json_each(${recordedChanges}) d
    CROSS JOIN ${m} ON ${m.no} = ${e.actor}
    WHERE ${e.ws} = ${caller.workspace} AND ${e.task} = ${task} AND ${entryType} IS NOT NULL AND ${after}`;
  const columns = selectActivityColumns(caller);
  const upTo = { ...range, offset: 0, limit: range.offset + range.limit };
  const later = sql`
    SELECT ${columns} FROM ${e} INDEXED BY events_by_task ${entries} AND ${isAfterFirstEvent(e)}
    ORDER BY ${e.seq} DESC, ${entryPosition} DESC ${buildLimit(upTo)}`;
  const beginning = sql`
    SELECT ${columns} FROM ${t} CROSS JOIN ${e} ON ${e.ws} = ${t.ws} AND ${e.seq} = ${t.first_event}
    ${entries} AND ${t.id} = ${task}`;
  return withType<ActivityRow>(sql`
      SELECT * FROM (${later}) UNION ALL SELECT * FROM (${beginning}) ORDER BY id DESC ${buildLimit(range)}`);
}

/** Returns -1 if the caller can't see the task. */
export function countActivities(caller: Caller, task: number): Statement<number> {
  return readNumber(sql`
    SELECT coalesce((SELECT ${t.activity_count}
      FROM ${t} WHERE ${t.id} = ${task} AND ${isTaskVisible(t, caller)}), -1) AS total`);
}
