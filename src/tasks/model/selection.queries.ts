import { names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';

const t = names(tasks, 't');

/** The task that the same batch inserted last. (`last_insert_rowid()` would answer the row of any later insert.) */
export const newestTask = sql`(SELECT max(${tasks.id}) FROM ${tasks})`;

/**
 * Which tasks `t` a statement is about. It names the access path with the condition, because the planner might otherwise
 * walk a whole index to group the rows.
 */
export interface TaskSelection {
  access: SQL;
  where: SQL;
  /** How many of the selected tasks come before `t`; a window function reads three rows more than a number. */
  position: SQL;
}

const inOrderOfIds = sql`row_number() OVER (ORDER BY ${t.id}) - 1`;

const byId = sql`NOT INDEXED`;

/** FROM and WHERE. */
export function tasksIn({ access, where }: Omit<TaskSelection, 'position'>): SQL {
  return sql`${t} ${access} WHERE ${where}`;
}

/** A SELECT of their ids. */
export function idsOf(selection: TaskSelection): SQL {
  return sql`SELECT ${t.id} FROM ${tasksIn(selection)}`;
}

/** The last `count` tasks, which the same batch inserted. */
export function newTasks(count: number): TaskSelection {
  const where = sql`${t.id} > (SELECT max(${tasks.id}) FROM ${tasks}) - ${count}`;
  return { access: byId, where, position: count === 1 ? sql`0` : inOrderOfIds };
}

export function oneTask(id: number): TaskSelection {
  return { access: byId, where: sql`${t.id} = ${id}`, position: sql`0` };
}

/** @param ids a SELECT of task ids. */
export function tasksWithin(ids: SQL): TaskSelection {
  return { access: byId, where: sql`${t.id} IN (${ids})`, position: inOrderOfIds };
}

/** @param ids known ones, of any number. */
export function someTasks(ids: readonly number[]): TaskSelection {
  return tasksWithin(sql`SELECT j.value FROM json_each(${JSON.stringify(ids)}) j`);
}

export function tasksOfProject(project: number): TaskSelection {
  return {
    access: sql`INDEXED BY tasks_by_project`,
    where: sql`${t.project} = ${project}`,
    position: inOrderOfIds,
  };
}

export function tasksOfWorkspace(ws: number): TaskSelection {
  return { access: sql`INDEXED BY tasks_by_workspace`, where: sql`${t.ws} = ${ws}`, position: inOrderOfIds };
}

/** Those of the selected tasks that are assigned to somebody. */
export function ofSomeone(selection: TaskSelection): TaskSelection {
  return { ...selection, where: sql`${selection.where} AND ${t.assignee} > 0` };
}

/** The assignee of each selected task. */
export const theirAssignee = t.assignee;
