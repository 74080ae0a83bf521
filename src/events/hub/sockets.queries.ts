import { buildInList, readRows, type Statement } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  type Row,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { events } from '../../schema/cell/events.ts';
import { projectMembers } from '../../schema/cell/projects.ts';
import { taskRelations } from '../../schema/cell/relations.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { activeMembers } from '../../schema/cell/workspaces.ts';

const e = aliasTable(events, 'e');
const m = aliasTable(activeMembers, 'm');
const o = aliasTable(tasks, 'o');
const pm = aliasTable(projectMembers, 'pm');
const r = aliasTable(taskRelations, 'r');
const t = aliasLeftJoinedTable(tasks, 't');

const isShownByRelatedTasks = sql`(${e.type} IN ('task.archived', 'task.unarchived')
  OR ${e.changes} -> '$.name' IS NOT NULL OR ${e.changes} -> '$.status' IS NOT NULL
  OR ${e.changes} -> '$.relations' IS NOT NULL)`;
const relatedTasks = sql`(
  SELECT json_group_array(json_array(${o.id}, ${o.project})) FROM (
    SELECT ${r.target} AS id FROM ${r} INDEXED BY task_relations_by_source
      WHERE ${r.ws} = ${e.ws} AND ${r.source} = ${e.task}
    UNION ALL SELECT ${r.source} FROM ${r} INDEXED BY task_relations_by_target
      WHERE ${r.ws} = ${e.ws} AND ${r.target} = ${e.task}
    UNION ALL SELECT ${e.changes} ->> '$.relations.from.task.id') x
  CROSS JOIN ${o} ON ${o.id} = x.id AND ${o.ws} = ${e.ws})`;

const socketEventColumns = selectColumns({
  seq: e.seq,
  project: e.project,
  task: e.task,
  reader: e.reader,
  parent: t.parent,
  earlier_parent: withType<number | null>(sql`${e.changes} ->> '$.parent.from.id'`),
  /** 1 if the change renames a task with subtasks. The pages of the subtasks show the task's name. */
  is_renamed_parent: withType<0 | 1 | null>(
    sql`${t.subtask_count} > 0 AND ${e.changes} -> '$.name' IS NOT NULL`,
  ),
  /** A JSON array of the tasks whose pages or cards show this change, each as a pair of task and project. */
  related: withType<string | null>(sql`iif(${isShownByRelatedTasks}, ${relatedTasks}, NULL)`),
});
export type SocketEvent = Row<typeof socketEventColumns>;

export function listNewestEvents(ws: number, after: number, limit: number): Statement<SocketEvent[]> {
  return readRows(sql`
    SELECT ${socketEventColumns} FROM ${e} LEFT JOIN ${t} ON ${t.id} = ${e.task}
    WHERE ${e.ws} = ${ws} AND ${e.seq} > ${after} ORDER BY ${e.seq} DESC LIMIT ${limit}`);
}

const activeMemberColumns = selectColumns({ no: m.no, version: m.version, role: m.role });
export type ActiveMember = Row<typeof activeMemberColumns>;

export function listActiveMembers(ws: number, members: readonly number[]): Statement<ActiveMember[]> {
  return readRows(sql`
    SELECT ${activeMemberColumns} FROM ${m}
    WHERE ${m.ws} = ${ws} AND ${m.no} IN ${buildInList(members)}`);
}

const memberProjectColumns = selectColumns({ member: pm.member, project: pm.project });

export function listChangedProjectsOfMembers(
  ws: number,
  members: readonly number[],
  after: number,
  limit: number,
): Statement<{ member: number; project: number }[]> {
  return readRows(sql`
    SELECT ${memberProjectColumns} FROM (
      SELECT DISTINCT project FROM (SELECT ${e.project} AS project FROM ${e}
        WHERE ${e.ws} = ${ws} AND ${e.seq} > ${after} ORDER BY ${e.seq} DESC LIMIT ${limit})) changed
    CROSS JOIN ${pm} ON ${pm.project} = changed.project AND ${pm.member} IN ${buildInList(members)}`);
}
