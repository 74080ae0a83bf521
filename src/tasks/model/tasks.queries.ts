import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, readFirstRow, readRows, type Statement } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoined,
  aliasTable,
  type Columns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withRowsOf,
} from '../../kernel/sql/sql.ts';
import { projects } from '../../schema/cell/projects.ts';
import { taskCategories, taskTypes } from '../../schema/cell/reference.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { activeMembers, members } from '../../schema/cell/workspaces.ts';
import { type FieldColumn, fieldColumns, listPlainColumns } from '../field-values.ts';
import {
  selectDescription,
  selectDescriptionBytes,
  selectShortDescription,
} from '../texts/task-texts.queries.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';
import { buildPageOrderBy, type PageSort } from './task-orders.queries.ts';
import { DETAILS_BYTES_MAX, DETAILS_IN_LIST_MAX } from './tasks.schema.ts';

const a = aliasLeftJoined(members, 'a');
const c = aliasLeftJoined(taskCategories, 'c');
const m = aliasTable(activeMembers, 'm');
const o = aliasTable(members, 'o');
const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');
const y = aliasLeftJoined(taskTypes, 'y');

/** Longer descriptions are read after their page, a few at a time. */
const INLINE_DESCRIPTION_BYTES_MAX = DETAILS_BYTES_MAX / DETAILS_IN_LIST_MAX;

function pickTaskColumns<C extends FieldColumn>(columns: readonly C[]): Pick<typeof t, C> {
  return Object.fromEntries(columns.map((column) => [column, t[column]])) as Pick<typeof t, C>;
}

const listFields = {
  id: t.id,
  ...pickTaskColumns(listPlainColumns('list')),
  project_id: p.id,
  project_name: p.name,
  assignee_id: a.user_id,
  assignee_name: a.name,
  assignee_email: a.email,
};
const listColumns = selectColumns(listFields);
export type TaskRow = Row<typeof listColumns>;

const updatedColumn = selectColumns({ updated_at: t.updated_at });
const createdColumn = selectColumns({ created_at: t.created_at });
export type ListedRow = TaskRow & Partial<Row<typeof updatedColumn> & Row<typeof createdColumn>>;

export function listTasks(pageIds: SQL, sort: PageSort = 'created', isDated = false): Statement<ListedRow[]> {
  const updated = sort === 'updated' || isDated ? sql`, ${updatedColumn}` : sql``;
  const created = isDated ? sql`, ${createdColumn}` : sql``;
  return readRows(sql`
    SELECT ${listColumns}${updated}${created} FROM (${pageIds}) page
    CROSS JOIN ${t} ON ${t.id} = page.id
    CROSS JOIN ${p} ON ${p.id} = ${t.project}
    LEFT JOIN ${a} ON ${a.no} = ${t.assignee}
    ORDER BY ${buildPageOrderBy(sort)}`);
}

const detailFields = {
  ...listFields,
  ...pickTaskColumns(listPlainColumns('detail')),
  description: selectDescription(t),
  category_id: c.id,
  category_key: c.key,
  category_value: c.value,
  type_id: y.id,
  type_key: y.key,
  type_value: y.value,
  creator_id: o.user_id,
  creator_name: o.name,
  creator_email: o.email,
  created_at: t.created_at,
  updated_at: t.updated_at,
  version: t.version,
};
const detailColumns = selectColumns(detailFields);
export type TaskDetailRow = Row<typeof detailColumns>;

// The planner might otherwise read all tasks of the workspace.
const selectDetail = <T>(caller: Caller, isOne: SQL, selected: Columns<T>) => sql`
    SELECT ${selected}
    FROM ${t} NOT INDEXED
    CROSS JOIN ${p} ON ${p.id} = ${t.project}
    CROSS JOIN ${o} ON ${o.no} = ${t.created_by}
    LEFT JOIN ${a} ON ${a.no} = ${t.assignee}
    LEFT JOIN ${c} ON ${c.id} = ${t.category}
    LEFT JOIN ${y} ON ${y.id} = ${t.type}
    WHERE ${isOne} AND ${isTaskVisible(t, caller)}`;

export function findTaskDetail(caller: Caller, id: SQL): Statement<TaskDetailRow | null> {
  return readFirstRow(selectDetail(caller, sql`${t.id} = ${id}`, detailColumns));
}

/** `description` is null if it is longer than the requested limit. */
export type SizedDetailRow = TaskDetailRow & { description_bytes: number };

/** `bytesMax` is the longest description to return. `listDescriptions` reads longer ones. */
export function listTaskDetails(caller: Caller, ids: SQL, bytesMax: number): Statement<SizedDetailRow[]> {
  const sized = selectColumns({
    ...detailFields,
    description: selectShortDescription(t, bytesMax),
    description_bytes: selectDescriptionBytes(t),
  });
  return readRows(sql`${withRowsOf(selectDetail(caller, sql`${t.id} IN (${ids})`, sized))} ORDER BY ${t.id}`);
}

const pagedDetailColumns = selectColumns({
  ...detailFields,
  description: selectShortDescription(t, INLINE_DESCRIPTION_BYTES_MAX),
  bytes: selectDescriptionBytes(t),
});
/** `description` is null if it is too long for the page. */
export type PagedDetailRow = Row<typeof pagedDetailColumns>;

export function listPagedDetails(pageIds: SQL, sort: PageSort): Statement<PagedDetailRow[]> {
  return readRows(sql`
    SELECT ${pagedDetailColumns} FROM (${pageIds}) page
    CROSS JOIN ${t} ON ${t.id} = page.id
    CROSS JOIN ${p} ON ${p.id} = ${t.project}
    CROSS JOIN ${o} ON ${o.no} = ${t.created_by}
    LEFT JOIN ${a} ON ${a.no} = ${t.assignee}
    LEFT JOIN ${c} ON ${c.id} = ${t.category}
    LEFT JOIN ${y} ON ${y.id} = ${t.type}
    ORDER BY ${buildPageOrderBy(sort)}`);
}

const personColumns = selectColumns({ user_id: m.user_id, name: m.name, email: m.email });
export type PersonRow = Row<typeof personColumns>;

/** Returns followers in the order of `tasks.followers`, which is already sorted. */
export function listFollowers(caller: Caller, id: SQL): Statement<PersonRow[]> {
  return readRows(sql`
    SELECT ${personColumns}
    FROM ${t} CROSS JOIN json_each(${t.followers}) f CROSS JOIN ${m} ON ${m.no} = f.value
    WHERE ${m.ws} = ${caller.workspace} AND ${t.id} = ${id} ORDER BY f.rowid`);
}

const followerColumns = selectColumns({ task: t.id, user_id: m.user_id, name: m.name, email: m.email });

export function listFollowersOfTasks(caller: Caller, ids: SQL): Statement<Row<typeof followerColumns>[]> {
  return readRows(sql`
    SELECT ${followerColumns}
    FROM (${ids}) i CROSS JOIN ${t} ON ${t.id} = i.id CROSS JOIN json_each(${t.followers}) f
    CROSS JOIN ${m} ON ${m.no} = f.value
    WHERE ${m.ws} = ${caller.workspace} ORDER BY ${t.id}, f.rowid`);
}

export const stateFields = {
  id: t.id,
  ws: t.ws,
  project: t.project,
  ...pickTaskColumns(fieldColumns),
  assignee_id: a.user_id,
  description: selectDescription(t),
  long_text: t.long_text,
  duration_minutes: t.duration_minutes,
  version: t.version,
};
const stateColumns = selectColumns(stateFields);
export type TaskState = Row<typeof stateColumns>;

export function findTaskState(caller: Caller, id: number): Statement<TaskState | null> {
  return readFirstRow(sql`
    SELECT ${stateColumns}
    FROM ${t} LEFT JOIN ${a} ON ${a.no} = ${t.assignee}
    WHERE ${t.id} = ${id} AND ${isTaskVisible(t, caller)}`);
}

/** Aborts the batch unless the caller still sees all tasks and none of them has changed since it was read. */
export function assertTasksUnchanged(caller: Caller, read: readonly TaskVersion[]): Statement<void> {
  const versions = JSON.stringify(read.map(({ id, version }) => [id, version]));
  return assertUnchanged(sql`
    NOT EXISTS (SELECT 1 FROM json_each(${versions}) d WHERE NOT EXISTS (
      SELECT 1 FROM ${t} WHERE ${t.id} = d.value ->> 0 AND ${t.version} = d.value ->> 1
        AND ${isTaskVisible(t, caller)}))`);
}

const versionColumns = selectColumns({ id: t.id, version: t.version });
/** Editing a field increases the version. Comments, files and followers don't. */
export type TaskVersion = Row<typeof versionColumns>;

export function findTaskVersion(caller: Caller, id: number): Statement<TaskVersion | null> {
  return readFirstRow(sql`
    SELECT ${versionColumns} FROM ${t} WHERE ${t.id} = ${id} AND ${isTaskVisible(t, caller)}`);
}

export function listTaskVersions(caller: Caller, ids: SQL): Statement<TaskVersion[]> {
  return readRows(sql`
    SELECT ${versionColumns} FROM ${t} NOT INDEXED WHERE ${t.id} IN (${ids}) AND ${isTaskVisible(t, caller)}
    ORDER BY ${t.id}`);
}

/** Aborts the batch unless the caller still sees the task and the task isn't archived. */
export function assertTaskWritable(caller: Caller, id: number): Statement<void> {
  return assertUnchanged(sql`
    EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${id} AND ${t.archived} = 0 AND ${isTaskVisible(t, caller)})`);
}
