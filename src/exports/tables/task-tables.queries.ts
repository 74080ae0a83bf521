import { mergePage, selectConstants } from '../../kernel/lists/merge-page.queries.ts';
import { isAfter, type SortKey } from '../../kernel/lists/pagination.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import { readRows } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { checklists } from '../../schema/cell/checklists.ts';
import { comments } from '../../schema/cell/comments.ts';
import { bucketColumns } from '../../schema/cell/counters.ts';
import { reactions } from '../../schema/cell/reactions.ts';
import { recurrences } from '../../schema/cell/recurrences.ts';
import { taskRelations } from '../../schema/cell/relations.ts';
import { reminders } from '../../schema/cell/reminders.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { timeEntries } from '../../schema/cell/time-entries.ts';
import { activeMembers } from '../../schema/cell/workspaces.ts';
import { fieldColumns, listAssigneeNumbers, readFields } from '../../tasks/field-values.ts';
import { selectDescription, selectDescriptionBytes } from '../../tasks/texts/task-texts.queries.ts';
import { isTaskVisibleTo } from '../../tasks/visibility/task-visibility.queries.ts';
import { isInExportIndex, limitPageBytes, ROWS_MAX } from './limits.queries.ts';
import { defineTable, type Lookups, type TableSource, toUserId, toUserIds } from './table.ts';

const c = aliasTable(comments, 'c');
const e = aliasTable(timeEntries, 'e');
const l = aliasTable(checklists, 'l');
const m = aliasTable(activeMembers, 'm');
const o = aliasTable(tasks, 'o');
const r = aliasTable(taskRelations, 'r');
const s = aliasTable(recurrences, 's');
const t = aliasTable(tasks, 't');
const u = aliasTable(reminders, 'u');
const x = aliasTable(reactions, 'x');

const TASKS_PER_PAGE = 200;
/** Larger than every id. */
const NO_ID = sql.raw(String(Number.MAX_SAFE_INTEGER));

/**
 * The index of a workspace's tasks is sorted by bucket, and tasks change buckets while people work. Merging the buckets
 * by id reads each task exactly once.
 */
function selectTaskPage(ws: number, after: SortKey | null): SQL {
  const selectNext = (start: SQL) => sql`(
    SELECT ${o.id} FROM ${o} INDEXED BY tasks_by_workspace
    WHERE ${o.ws} = ${ws} AND ${o.bucket} = m.bucket AND ${o.id} > ${start} ORDER BY ${o.id} LIMIT 1)`;
  const buckets = selectConstants(bucketColumns.map((_, bucket) => bucket));
  return mergePage(
    {
      ranges: sql`SELECT 0 AS kind, column1 AS bucket FROM ${buckets}`,
      readers: [{ first: selectNext(sql`${after?.[0] ?? 0}`), next: selectNext(sql`m.key`) }],
    },
    { columns: ['bucket'], isDescending: false, end: NO_ID, id: sql`key` },
    { limit: TASKS_PER_PAGE - 1, offset: 0, after: null, skipped: 0 },
  );
}

const { description: _, ...storedColumns } = Object.fromEntries(
  fieldColumns.map((column) => [column, t[column]]),
) as Pick<typeof t, (typeof fieldColumns)[number]>;

const selectTaskColumns = ({ member, person }: Pick<TableSource, 'member' | 'person'>) =>
  selectColumns({
    ...storedColumns,
    id: t.id,
    description: selectDescription(t),
    project: t.project,
    completed_on: t.completed_on,
    created_by: t.created_by,
    created_at: t.created_at,
    updated_at: t.updated_at,
    followers: t.followers,
    parent_place: t.parent_place,
    checklist: withType<string | null>(
      sql`(SELECT ${l.lines} FROM ${l} WHERE ${l.task} = ${t.id} AND ${l.ws} = ${t.ws})`,
    ),
    recurrence: withType<string | null>(sql`(
      SELECT json_object('rule', ${s.rule}, 'mode', ${s.mode}, 'days', ${s.days}, 'firstDay', ${s.first_day},
        'occurrence', ${s.occurrence}, 'previousId', ${s.previous_task}, 'nextId', ${s.next_task})
      FROM ${s} WHERE ${s.task} = ${t.id} AND ${s.ws} = ${t.ws})`),
    reminders: withType<string>(sql`(
      SELECT json_group_array(json_object('minutesBefore', ${u.minutes_before}, 'at', ${u.at}) ORDER BY ${u.place})
      FROM ${u} WHERE ${u.task} = ${t.id} AND ${u.member} = ${member} AND ${u.ws} = ${t.ws})`),
    is_own: withType<0 | 1>(sql`(${t.created_by} = ${person} AND EXISTS (
      SELECT 1 FROM ${m} WHERE ${m.no} = ${person} AND ${isTaskVisibleTo(t, m)}))`),
  });

export const tasksTable = defineTable({
  name: 'tasks',
  description:
    'Tasks and subtasks, without those in the trash. `assigneeIds` starts with the first assignee, and subtasks are ordered by `position`. `reminders` lists only those of the person who started the export, because reminders are private.',
  read: ({ ws, member, person, after }) => {
    const page = sql`
      SELECT ${t.id} AS id, ${selectDescriptionBytes(t)} AS bytes FROM (${selectTaskPage(ws, after)}) q
      CROSS JOIN ${t} ON ${t.id} = q.id`;
    return readRows(sql`
      SELECT ${selectTaskColumns({ member, person })} FROM (${limitPageBytes(page)}) v
      CROSS JOIN ${t} ON ${t.id} = v.id AND ${t.ws} = ${ws} ORDER BY ${t.id}`);
  },
  key: ({ id }) => [id],
  isOwn: ({ is_own }) => is_own === 1,
  show: (row, lookups) => ({
    id: row.id,
    projectId: row.project,
    parentId: row.parent,
    position: row.parent_place,
    ...readFields('list', row),
    ...readFields('detail', row),
    ...readFields('requested', row),
    ...readFields('structure', row),
    assigneeIds: listAssigneeNumbers(row).flatMap((member) => toUserId(lookups, member) ?? []),
    categoryId: row.category,
    typeId: row.type,
    customFields: pickExistingFields(row.field_values, lookups),
    checklist: JSON.parse(row.checklist ?? '[]'),
    recurrence: row.recurrence === null ? null : JSON.parse(row.recurrence),
    reminders: (JSON.parse(row.reminders) as { minutesBefore: number | null; at: number | null }[]).map(
      ({ minutesBefore, at }) => ({ minutesBefore, at: at === null ? null : toTimestamp(at) }),
    ),
    followerIds: toUserIds(lookups, row.followers),
    completedOn: row.completed_on,
    createdById: toUserId(lookups, row.created_by),
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  }),
});

/** A task keeps the values of a deleted field for a while, in case the field is restored. */
function pickExistingFields(stored: string | null, { fields }: Lookups): object {
  const values = Object.entries(JSON.parse(stored ?? '{}') as Record<string, unknown>);
  return Object.fromEntries(values.filter(([key]) => fields.has(key)));
}

/** The rows of deleted tasks can keep the number of their workspace. */
const isTaskKept = (id: SQL, ws: number) =>
  sql`EXISTS (SELECT 1 FROM ${o} WHERE ${o.id} = ${id} AND ${o.ws} = ${ws})`;

const relationColumns = selectColumns({ type: r.type, source: r.source, target: r.target });

export const relationsTable = defineTable({
  name: 'relations',
  description:
    'Relations between tasks. With the types `blocks` and `duplicates`, `sourceId` blocks or duplicates `targetId`.',
  read: ({ ws, after }) => {
    const columns = [{ column: r.source }, { column: r.type }, { column: r.target }];
    return readRows(sql`
      SELECT ${relationColumns} FROM ${r} INDEXED BY task_relations_by_source
      WHERE ${r.ws} = ${ws} AND ${isAfter({ after }, columns)} AND ${isTaskKept(r.source, ws)} AND ${isTaskKept(r.target, ws)}
      ORDER BY ${r.source}, ${r.type}, ${r.target} LIMIT ${ROWS_MAX}`);
  },
  key: ({ source, type, target }) => [source, type, target],
  show: ({ type, source, target }) => ({ type, sourceId: source, targetId: target }),
});

const commentColumns = selectColumns({
  id: c.id,
  day: c.day,
  task: c.task,
  author: c.author,
  parent: c.parent,
  content: c.content,
  created_at: c.created_at,
  reactions: withType<string>(sql`(
    SELECT json_group_array(json_array(${x.reaction}, json(${x.people})) ORDER BY ${x.reaction})
    FROM ${x} WHERE ${x.comment} = ${c.id})`),
});

export const commentsTable = defineTable({
  name: 'comments',
  description: 'Comments with their reactions. `parentId` is the comment that a reply belongs to.',
  read: ({ ws, after }) => {
    // A day can have any number of comments, so its rest and the later days are two ranges of the index.
    const selectRange = (range: SQL) => sql`
      SELECT * FROM (SELECT ${c.id} AS id, ${c.bytes} AS bytes FROM ${c} INDEXED BY comments_by_day
        WHERE ${c.ws} = ${ws} AND ${range} AND ${isTaskKept(c.task, ws)} ORDER BY ${c.day}, ${c.id} LIMIT ${ROWS_MAX})`;
    const [day = '', id = 0] = after ?? [];
    const ranges = sql`
      SELECT * FROM (${selectRange(sql`${c.day} = ${day} AND ${c.id} > ${id}`)}
        UNION ALL ${selectRange(sql`${c.day} > ${day}`)}) ORDER BY id LIMIT ${ROWS_MAX}`;
    return readRows(sql`
      SELECT ${commentColumns} FROM (${limitPageBytes(ranges)}) v
      CROSS JOIN ${c} ON ${c.id} = v.id ORDER BY ${c.id}`);
  },
  key: ({ day, id }) => [day, id],
  isOwn: ({ author }, member) => author === member,
  show: (row, lookups) => ({
    id: row.id,
    taskId: row.task,
    parentId: row.parent,
    authorId: toUserId(lookups, row.author),
    content: row.content,
    createdAt: toTimestamp(row.created_at),
    reactions: (JSON.parse(row.reactions) as [string, number[]][]).map(([reaction, people]) => ({
      reaction,
      userIds: people.flatMap((member) => toUserId(lookups, member) ?? []),
    })),
  }),
});

const entryColumns = selectColumns({
  id: e.id,
  member: e.member,
  task: e.task,
  started_at: e.started_at,
  ended_at: e.ended_at,
});

export const timeEntriesTable = defineTable({
  name: 'time-entries',
  description: 'Time entries. `endTime` is null while a timer runs.',
  read: ({ ws, after }) =>
    readRows(sql`
      SELECT ${entryColumns} FROM ${e} INDEXED BY time_entries_by_workspace
      WHERE ${e.ws} = ${ws} AND ${isInExportIndex(e.id)} AND ${isAfter({ after }, [{ column: e.id }])}
      ORDER BY ${e.id} LIMIT ${ROWS_MAX}`),
  key: ({ id }) => [id],
  show: ({ id, member, task, started_at, ended_at }, lookups) => ({
    id,
    userId: toUserId(lookups, member),
    taskId: task,
    startTime: toTimestamp(started_at),
    endTime: ended_at === null ? null : toTimestamp(ended_at),
  }),
  isOwn: (row, member) => row.member === member,
});
