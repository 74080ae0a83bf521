import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';

const t = aliasTable(tasks, 't');

const placeColumns = { id: t.id, place: t.parent_place, archived: t.archived };
type SubtaskPosition = Row<ReturnType<typeof selectColumns<typeof placeColumns>>>;

export function listSubtaskPositions(caller: Caller, parent: number): Statement<SubtaskPosition[]> {
  return readRows(sql`
    SELECT ${selectColumns(placeColumns)} FROM ${t} INDEXED BY tasks_by_parent
    WHERE ${t.parent} = ${parent} AND ${isTaskVisible(t, caller)} ORDER BY ${t.parent_place}, ${t.id}`);
}

export function assertSubtaskPositions(
  caller: Caller,
  parent: number,
  read: readonly SubtaskPosition[],
): Statement<void> {
  const places = JSON.stringify(read.map(({ id, place, archived }) => [id, place, archived]));
  return assertUnchanged(sql`
    (SELECT json_group_array(json_array(${t.id}, ${t.parent_place}, ${t.archived}) ORDER BY ${t.parent_place}, ${t.id})
    FROM ${t} INDEXED BY tasks_by_parent
    WHERE ${t.parent} = ${parent} AND ${isTaskVisible(t, caller)}) = ${places}`);
}
