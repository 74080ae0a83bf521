import { type SQL, sql } from 'drizzle-orm';

/** The task that the same batch inserted last. (`last_insert_rowid()` would answer any later insert's.) */
export const newestTask = sql`(SELECT max(id) FROM tasks)`;

/*
 * Which tasks `t` a statement is about, as its FROM and WHERE. The access path stands with the condition, since
 * grouping would tempt the planner into walking a whole index.
 */

/** The last `count` tasks, which the same batch inserted. */
export function newTasks(count: number): SQL {
  return sql`tasks t NOT INDEXED WHERE t.id > (SELECT max(id) FROM tasks) - ${count}`;
}

export function idOf(task: number): SQL {
  return sql`${task}`;
}

export function oneTask(id: number): SQL {
  return sql`tasks t NOT INDEXED WHERE t.id = ${id}`;
}

export function tasksOfProject(project: number): SQL {
  return sql`tasks t INDEXED BY tasks_by_project WHERE t.project = ${project}`;
}
