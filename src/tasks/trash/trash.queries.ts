import type { Caller } from '../../kernel/access/access.ts';
import type { Reach } from '../../kernel/access/capabilities.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import type { WriteContext } from '../../kernel/operation/operation.ts';
import {
  assertUnchanged,
  buildInList,
  readFirstRow,
  readNumber,
  readRows,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
} from '../../kernel/sql/sql.ts';
import { selectLastMemberInBatch } from '../../notifications/inbox/hide-notifications.queries.ts';
import { projectDeletions } from '../../schema/cell/project-deletions.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { trash } from '../../schema/cell/trash.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { joinAssignee, listFields } from '../model/tasks.queries.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';

const d = aliasTable(trash, 'd');
const deletion = aliasTable(projectDeletions, 'pd');
const m = aliasTable(members, 'm');
const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');

const projectColumns = selectColumns({ owner: p.owner });

export function findProjectOwner(caller: Caller, task: number): Statement<{ owner: number } | null> {
  return readFirstRow(sql`
    SELECT ${projectColumns} FROM ${t} CROSS JOIN ${p} ON ${p.id} = ${t.project}
    WHERE ${t.id} = ${task} AND ${isTaskVisible(t, caller)}`);
}

const ownerColumns = selectColumns({ task: t.id, owner: p.owner });

export function listProjectOwners(
  caller: Caller,
  ids: readonly number[],
): Statement<Row<typeof ownerColumns>[]> {
  return readRows(sql`
    SELECT ${ownerColumns} FROM ${t} NOT INDEXED CROSS JOIN ${p} ON ${p.id} = ${t.project}
    WHERE ${t.id} IN ${buildInList(ids)} AND ${isTaskVisible(t, caller)}`);
}

/** Aborts the batch if the caller no longer leads one of the projects. */
export function assertProjectsOwned(
  { workspace, member }: Caller,
  projectIds: readonly number[],
): Statement<void> {
  return assertUnchanged(sql`
    (SELECT count(*) FROM ${p} NOT INDEXED
      WHERE ${p.ws} = ${workspace} AND ${p.id} IN ${buildInList(projectIds)} AND ${p.owner} = ${member}) = ${projectIds.length}`);
}

export interface DeletedTask {
  id: number;
  project: number;
  parent: number | null;
}

export function insertTrash(
  { caller, now }: WriteContext & { caller: Caller },
  deleted: readonly DeletedTask[],
): Statement<void> {
  const rows = deleted.map(({ id, project, parent }) => [id, project, parent]);
  return write(sql`
    INSERT INTO ${nameInsertColumns(trash, 'task', 'ws', 'project', 'former_parent', 'deleted_by', 'deleted_at', 'hidden_up_to')}
    SELECT r.value ->> 0, ${caller.workspace}, r.value ->> 1, r.value ->> 2, ${caller.member}, ${now},
      ${selectLastMemberInBatch(caller.workspace, 0)}
    FROM json_each(${JSON.stringify(rows)}) r`);
}

export function selectLastHiddenMember(task: number): SQL {
  return sql`(SELECT ${d.hidden_up_to} FROM ${d} WHERE ${d.task} = ${task})`;
}

export function deleteTrash(caller: Caller, ids: readonly number[]): Statement<void>[] {
  return [
    write(sql`
      DELETE FROM ${trash} NOT INDEXED WHERE ${trash.ws} = ${caller.workspace} AND ${trash.task} IN ${buildInList(ids)}`),
    assertUnchanged(sql`changes() = ${ids.length}`),
  ];
}

/** People can see and restore only the deleted tasks that they are allowed to delete. */
function isRestorable(caller: Caller, reach: Reach): SQL {
  const isOwn = reach === 'all' ? sql`true` : sql`${p.owner} = ${caller.member}`;
  return sql`${d.ws} = ${caller.workspace} AND ${isOwn}
    AND NOT EXISTS (SELECT 1 FROM ${deletion} WHERE ${deletion.project} = ${d.project})`;
}

const trashedColumns = selectColumns({
  id: d.task,
  project: d.project,
  former_parent: d.former_parent,
  version: t.version,
});
export type TrashedTask = Row<typeof trashedColumns>;

/** Returns only the tasks that the caller can restore. */
export function listTrashedTasks(
  caller: Caller,
  reach: Reach,
  ids: readonly number[],
): Statement<TrashedTask[]> {
  return readRows(sql`
    SELECT ${trashedColumns} FROM ${d} NOT INDEXED CROSS JOIN ${p} ON ${p.id} = ${d.project} CROSS JOIN ${t} ON ${t.id} = ${d.task}
    WHERE ${isRestorable(caller, reach)} AND ${d.task} IN ${buildInList(ids)}`);
}

export function assertRestorable(caller: Caller, reach: Reach, ids: readonly number[]): Statement<void> {
  return assertUnchanged(sql`
    (SELECT count(*) FROM ${d} NOT INDEXED CROSS JOIN ${p} ON ${p.id} = ${d.project}
      WHERE ${isRestorable(caller, reach)} AND ${d.task} IN ${buildInList(ids)}) = ${ids.length}`);
}

const listedColumns = selectColumns({
  ...listFields,
  deleted_at: d.deleted_at,
  deleter_id: m.user_id,
  deleter_name: m.name,
});
export type TrashListRow = Row<typeof listedColumns>;

const buildTrashFromClause = (caller: Caller, reach: Reach) => sql`
  ${d} INDEXED BY trash_by_workspace CROSS JOIN ${p} ON ${p.id} = ${d.project}
  WHERE ${isRestorable(caller, reach)}`;

export function countTrash(caller: Caller, reach: Reach): Statement<number> {
  return readNumber(sql`SELECT count(*) AS total FROM ${buildTrashFromClause(caller, reach)}`);
}

/** The most recently deleted task comes first. */
export function listTrash(caller: Caller, reach: Reach, range: PageRange): Statement<TrashListRow[]> {
  return readRows(sql`
    SELECT ${listedColumns} FROM (
      SELECT ${d.task}, ${d.project}, ${d.deleted_by}, ${d.deleted_at} FROM ${buildTrashFromClause(caller, reach)}
        AND ${isAfter(range, [
          { column: d.deleted_at, isDescending: true },
          { column: d.task, isDescending: true },
        ])}
      ORDER BY ${d.deleted_at} DESC, ${d.task} DESC ${buildLimit(range)}) d
    CROSS JOIN ${p} ON ${p.id} = ${d.project} CROSS JOIN ${t} ON ${t.id} = ${d.task}
    CROSS JOIN ${m} ON ${m.no} = ${d.deleted_by}
    ${joinAssignee(sql`-${t.assignee}`)}
    ORDER BY ${d.deleted_at} DESC, ${d.task} DESC`);
}
