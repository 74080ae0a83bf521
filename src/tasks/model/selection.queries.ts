import { names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import type { TaskNames } from '../visibility/task-visibility.queries.ts';

const t = names(tasks, 't');

/** The task that the same batch inserted last. (`last_insert_rowid()` would return the row of any later insert.) */
export const newestTask = sql`(SELECT max(${tasks.id}) FROM ${tasks})`;

/** An expression over the names of a task in a statement. */
export type OfTask<T = SQL> = (t: TaskNames) => T;

export type TaskSelection = OfTask<Selected>;

/** Fixes the index together with the condition, because the planner might otherwise walk a whole index to group the rows. */
interface Selected {
  access: SQL;
  where: SQL;
  /** How many of the selected tasks come before this one. A window function reads three rows more than a number. */
  position: SQL;
}

const byId = sql`NOT INDEXED`;

/** FROM and WHERE. */
export function tasksIn(t: TaskNames, selection: TaskSelection): SQL {
  const { access, where } = selection(t);
  return sql`${t} ${access} WHERE ${where}`;
}

/** Selects their ids. */
export function idsOf(selection: TaskSelection): SQL {
  return sql`SELECT ${t.id} FROM ${tasksIn(t, selection)}`;
}

/** The last `count` tasks, which the same batch inserted. */
export function newTasks(count: number): TaskSelection {
  return (t) => ({
    access: byId,
    where: sql`${t.id} > (SELECT max(${tasks.id}) FROM ${tasks}) - ${count}`,
    position: count === 1 ? sql`0` : inOrderOfIds(t),
  });
}

export function oneTask(id: number): TaskSelection {
  return (t) => ({ access: byId, where: sql`${t.id} = ${id}`, position: sql`0` });
}

/** @param ids selects task ids. */
export function tasksWithin(ids: SQL): TaskSelection {
  return (t) => ({ access: byId, where: sql`${t.id} IN (${ids})`, position: inOrderOfIds(t) });
}

/** @param ids any number of existing tasks. */
export function someTasks(ids: readonly number[]): TaskSelection {
  return tasksWithin(sql`SELECT j.value FROM json_each(${JSON.stringify(ids)}) j`);
}

export function tasksOfProject(project: number): TaskSelection {
  return (t) => ({
    access: sql`INDEXED BY tasks_by_project`,
    where: sql`${t.project} = ${project}`,
    position: inOrderOfIds(t),
  });
}

export function tasksOfWorkspace(ws: number): TaskSelection {
  return (t) => ({
    access: sql`INDEXED BY tasks_by_workspace`,
    where: sql`${t.ws} = ${ws}`,
    position: inOrderOfIds(t),
  });
}

function inOrderOfIds(t: TaskNames): SQL {
  return sql`row_number() OVER (ORDER BY ${t.id}) - 1`;
}

export function tasksWhere(selection: TaskSelection, condition: OfTask): TaskSelection {
  return (t) => {
    const selected = selection(t);
    return { ...selected, where: sql`${selected.where} AND ${condition(t)}` };
  };
}

export function assignedTasks(selection: TaskSelection): TaskSelection {
  return tasksWhere(selection, (t) => sql`${t.assignee} > 0`);
}

export const assigneeOf: OfTask = (t) => t.assignee;
