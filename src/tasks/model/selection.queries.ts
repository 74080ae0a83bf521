import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import type { TaskAlias } from '../visibility/task-visibility.queries.ts';

const t = aliasTable(tasks, 't');

/** The id of the newest task, which the same batch inserted. Unlike `last_insert_rowid()`, it ignores other tables. */
export const newestTask = sql`(SELECT max(${tasks.id}) FROM ${tasks})`;

export type TaskExpression<T = SQL> = (t: TaskAlias) => T;

export type TaskSelection = TaskExpression<SelectedTasks>;

/**
 * `access` is an `INDEXED BY` or `NOT INDEXED` clause. Without it, SQLite might choose the wrong index and scan all of
 * it.
 */
interface SelectedTasks {
  access: SQL;
  where: SQL;
  /** The number of selected tasks before this one. For a single task, 0 is cheaper than a window function. */
  position: SQL;
}

const byPrimaryKey = sql`NOT INDEXED`;

export function buildSelectionFromClause(t: TaskAlias, selection: TaskSelection): SQL {
  const { access, where } = selection(t);
  return sql`${t} ${access} WHERE ${where}`;
}

export function selectIds(selection: TaskSelection): SQL {
  return sql`SELECT ${t.id} FROM ${buildSelectionFromClause(t, selection)}`;
}

export function selectNewTasks(count: number): TaskSelection {
  return (t) => ({
    access: byPrimaryKey,
    where: sql`${t.id} > (SELECT max(${tasks.id}) FROM ${tasks}) - ${count}`,
    position: count === 1 ? sql`0` : countEarlierIds(t),
  });
}

/** The id of the first of the `count` newest tasks, which the same batch inserted. */
export const selectFirstNewId = (count: number) => sql`(${newestTask} - ${count} + 1)`;

/** Selects the newest tasks without the last ones. */
export function selectEarlierNewTasks(count: number, without: number): TaskSelection {
  return filterTasks(selectNewTasks(count), (t) => sql`${t.id} <= ${newestTask} - ${without}`);
}

export function selectOneTask(id: number): TaskSelection {
  return (t) => ({ access: byPrimaryKey, where: sql`${t.id} = ${id}`, position: sql`0` });
}

export function selectTasksFromSubquery(ids: SQL): TaskSelection {
  return (t) => ({ access: byPrimaryKey, where: sql`${t.id} IN (${ids})`, position: countEarlierIds(t) });
}

export function selectTasksById(ids: readonly number[]): TaskSelection {
  return selectTasksFromSubquery(sql`SELECT j.value FROM json_each(${JSON.stringify(ids)}) j`);
}

export function selectProjectTasks(project: number): TaskSelection {
  return (t) => ({
    access: sql`INDEXED BY tasks_by_project`,
    where: sql`${t.project} = ${project}`,
    position: countEarlierIds(t),
  });
}

export function selectWorkspaceTasks(ws: number): TaskSelection {
  return (t) => ({
    access: sql`INDEXED BY tasks_by_workspace`,
    where: sql`${t.ws} = ${ws}`,
    position: countEarlierIds(t),
  });
}

function countEarlierIds(t: TaskAlias): SQL {
  return sql`row_number() OVER (ORDER BY ${t.id}) - 1`;
}

export function filterTasks(selection: TaskSelection, condition: TaskExpression): TaskSelection {
  return (t) => {
    const selected = selection(t);
    return { ...selected, where: sql`${selected.where} AND ${condition(t)}` };
  };
}

export function filterAssignedTasks(selection: TaskSelection): TaskSelection {
  return filterTasks(selection, (t) => sql`${t.assignee} > 0`);
}

export const selectAssignee: TaskExpression = (t) => t.assignee;
