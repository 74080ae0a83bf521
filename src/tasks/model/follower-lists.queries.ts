import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, readNumber, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { followers, otherAssignees, tasks } from '../../schema/cell/tasks.ts';
import type { AssigneeColumns } from '../field-values.ts';
import type { TaskAlias } from '../visibility/task-visibility.queries.ts';

const f = aliasTable(followers, 'f');
const q = aliasTable(otherAssignees, 'q');
const t = aliasTable(tasks, 't');

/* `tasks.followers` and the `followers` table contain the same data. A batch must change both. */

export function mergeFollowerLists(list: SQL, other: SQL): SQL {
  return sql`(SELECT json_group_array(l.no ORDER BY l.no) FROM (
    SELECT value AS no FROM json_each(${list}) UNION SELECT value FROM json_each(${other})) l WHERE l.no > 0)`;
}

/** Casts the member number to an integer, because D1 binds numbers as REAL. */
export function addToFollowerList(t: TaskAlias, member: number | SQL): SQL {
  return sql`iif(EXISTS (SELECT 1 FROM ${f}
      WHERE ${f.member} = ${member} AND ${f.project} = ${t.project} AND ${f.task} = ${t.id}),
    ${t.followers}, ${mergeFollowerLists(t.followers, sql`json_array(CAST(${member} AS INTEGER))`)})`;
}

function removeFromFollowerList(t: TaskAlias, member: number | SQL): SQL {
  return sql`(
    SELECT json_group_array(l.value ORDER BY l.value) FROM json_each(${t.followers}) l WHERE l.value <> ${member})`;
}

export function isOtherAssignee(task: SQL, member: number | SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${q} WHERE ${q.id} = ${task} AND ${q.assignee} = ${member})`;
}

/** Skips tasks assigned to the member. Must run before the rows of `followers` are deleted. */
export function removeFromFollowerLists(
  ws: number,
  member: number | SQL,
  isIn: (project: SQL) => SQL,
): Statement<void> {
  return write(sql`
    UPDATE ${tasks} AS t NOT INDEXED SET ${tasks.followers} = ${removeFromFollowerList(t, member)}
    WHERE ${t.id} IN (SELECT ${f.task} FROM ${f} WHERE ${f.member} = ${member} AND ${isIn(f.project)})
      AND ${t.assignee} <> ${member} AND NOT ${isOtherAssignee(t.id, member)} AND ${t.ws} = ${ws}`);
}

function selectFollowedByCaller({ member }: Caller, task: number): SQL {
  return sql`SELECT 1 FROM ${t} CROSS JOIN ${f} ON ${f.member} = ${member} AND ${f.project} = ${t.project} AND ${f.task} = ${t.id}
    WHERE ${t.id} = ${task}`;
}

export function countFollowing(caller: Caller, task: number): Statement<number> {
  return readNumber(sql`SELECT count(*) AS n FROM (${selectFollowedByCaller(caller, task)})`);
}

export function assertFollowState(
  caller: Caller,
  { id, ...read }: { id: number } & AssigneeColumns,
  isFollowed: boolean,
): Statement<void> {
  return assertUnchanged(sql`EXISTS (${selectFollowedByCaller(caller, id)}) = ${isFollowed ? 1 : 0}
    AND EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${id} AND ${t.assignee} = ${read.assignee}
      AND ${t.other_assignees} = ${read.other_assignees})`);
}

/** Must run before the statement that adds the caller's row to `followers`. */
export function addCallerToFollowers(caller: Caller, task: number, now: number): Statement<void> {
  return setFollowerList(caller, task, addToFollowerList(t, caller.member), now);
}

export function removeCallerFromFollowers(caller: Caller, task: number, now: number): Statement<void> {
  return setFollowerList(caller, task, removeFromFollowerList(t, caller.member), now);
}

function setFollowerList({ workspace }: Caller, task: number, list: SQL, now: number): Statement<void> {
  return write(sql`
    UPDATE ${tasks} AS t SET ${tasks.followers} = ${list},
      ${tasks.updated_at} = max(${tasks.updated_at}, ${now})
    WHERE ${t.ws} = ${workspace} AND ${t.id} = ${task}`);
}
