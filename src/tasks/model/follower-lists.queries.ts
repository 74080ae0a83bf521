import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, number, type Statement, write } from '../../kernel/sql/database.ts';
import { names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { followers, tasks } from '../../schema/cell/tasks.ts';
import type { TaskNames } from '../visibility/task-visibility.queries.ts';

const f = names(followers, 'f');
const t = names(tasks, 't');

/*
 * `tasks.followers` lists who follows a task, and the table `followers` what a person follows. Whoever changes one of them
 * changes the other in the same batch.
 */

/** The people of both lists, each once, in ascending order. The number 0 stands for nobody. */
export function joinedLists(list: SQL, other: SQL): SQL {
  return sql`(SELECT json_group_array(l.no ORDER BY l.no) FROM (
    SELECT value AS no FROM json_each(${list}) UNION SELECT value FROM json_each(${other})) l WHERE l.no > 0)`;
}

/**
 * The list of the old row with another member, or as it is if they follow already. The cast matters: D1 binds numbers
 * as REAL.
 */
export function withFollower(t: TaskNames, member: number | SQL): SQL {
  return sql`iif(EXISTS (SELECT 1 FROM ${f}
      WHERE ${f.member} = ${member} AND ${f.project} = ${t.project} AND ${f.task} = ${t.id}),
    ${t.followers}, ${joinedLists(t.followers, sql`json_array(CAST(${member} AS INTEGER))`)})`;
}

/** The list of the old row without a member. */
function without(t: TaskNames, member: number | SQL): SQL {
  return sql`(
    SELECT json_group_array(l.value ORDER BY l.value) FROM json_each(${t.followers}) l WHERE l.value <> ${member})`;
}

/** Before the rows go: takes a member from the tasks of some projects that they follow and are not assigned. */
export function takeFromLists(
  ws: number,
  member: number | SQL,
  isIn: (project: SQL) => SQL,
): Statement<void> {
  return write(sql`
    UPDATE ${tasks} AS t NOT INDEXED SET ${tasks.followers} = ${without(t, member)}
    WHERE ${t.id} IN (SELECT ${f.task} FROM ${f} WHERE ${f.member} = ${member} AND ${isIn(f.project)})
      AND ${t.assignee} <> ${member} AND ${t.ws} = ${ws}`);
}

function followed({ member }: Caller, task: number): SQL {
  return sql`SELECT 1 FROM ${t} CROSS JOIN ${f} ON ${f.member} = ${member} AND ${f.project} = ${t.project} AND ${f.task} = ${t.id}
    WHERE ${t.id} = ${task}`;
}

/** 1 if the caller follows the task, else 0. */
export function countFollowed(caller: Caller, task: number): Statement<number> {
  return number(sql`SELECT count(*) AS n FROM (${followed(caller, task)})`);
}

/** Undoes the batch unless the caller still follows the task, or still does not, and the same person has it. */
export function assertFollowed(
  caller: Caller,
  { id, assignee }: { id: number; assignee: number },
  isFollowed: boolean,
): Statement<void> {
  return assertUnchanged(sql`EXISTS (${followed(caller, id)}) = ${isFollowed ? 1 : 0}
    AND EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${id} AND ${t.assignee} = ${assignee})`);
}

/** Puts the caller into the list of the task, before their row comes. */
export function addToList(caller: Caller, task: number, now: number): Statement<void> {
  return setList(caller, task, withFollower(t, caller.member), now);
}

/** Takes the caller out of it. */
export function takeFromList(caller: Caller, task: number, now: number): Statement<void> {
  return setList(caller, task, without(t, caller.member), now);
}

function setList({ workspace }: Caller, task: number, list: SQL, now: number): Statement<void> {
  return write(sql`
    UPDATE ${tasks} AS t SET ${tasks.followers} = ${list},
      ${tasks.updated_at} = max(${tasks.updated_at}, ${now})
    WHERE ${t.ws} = ${workspace} AND ${t.id} = ${task}`);
}
