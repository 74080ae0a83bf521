import { readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, nameInsertColumns, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { otherAssignees, tasks } from '../../schema/cell/tasks.ts';
import { type NewValues, resolveValue, resolveValues } from './new-values.queries.ts';
import { filterTasks, selectIds, type TaskExpression, type TaskSelection } from './selection.queries.ts';

const q = aliasTable(otherAssignees, 'q');
const t = aliasTable(tasks, 't');

/* `tasks.other_assignees` and the `other_assignees` table contain the same people. A batch must change both. */

const copiedColumns = ['project', 'status', 'priority', 'archived', 'due', 'parent'] as const;

const otherAssigneeInsertTarget = nameInsertColumns(
  otherAssignees,
  'id',
  'ws',
  'assignee',
  'first_assignee',
  ...copiedColumns,
);

/** Must run after the statements that insert or change the tasks. */
export function insertOtherAssignees(ws: number, ...selections: readonly TaskSelection[]): Statement<void> {
  const copied = sql.join(
    copiedColumns.map((column) => t[column]),
    sql`, `,
  );
  const selects = selections.map((selection) => {
    const { access, where } = selection(t);
    return sql`
      SELECT ${t.id}, ${t.ws}, n.value, ${t.assignee}, ${copied}
      FROM ${t} ${access} CROSS JOIN json_each(${t.other_assignees}) n WHERE ${where} AND ${t.ws} = ${ws}`;
  });
  return write(sql`INSERT INTO ${otherAssigneeInsertTarget} ${sql.join(selects, sql` UNION ALL `)}`);
}

export function deleteOtherAssignees(ws: number, ids: SQL): Statement<void> {
  return write(
    sql`DELETE FROM ${otherAssignees} WHERE ${otherAssignees.id} IN (${ids}) AND ${otherAssignees.ws} = ${ws}`,
  );
}

export function affectsOtherAssignees(changes: NewValues): boolean {
  const columns = ['assignee', 'other_assignees', ...copiedColumns] as string[];
  return Object.keys(changes).some((column) => columns.includes(column));
}

/**
 * Must run after the statement that changes the tasks.
 * @param created tasks that the batch has inserted.
 */
export function updateOtherAssignees(
  ws: number,
  selection: TaskSelection,
  { other_assignees: others }: NewValues,
  created: readonly TaskSelection[] = [],
): Statement<void>[] {
  if (others !== undefined)
    return [deleteOtherAssignees(ws, selectIds(selection)), insertOtherAssignees(ws, selection, ...created)];
  const copied = copiedColumns.map((column) => sql`${otherAssignees[column]} = ${t[column]}`);
  return [
    write(sql`
      UPDATE ${otherAssignees} AS q SET ${otherAssignees.first_assignee} = ${t.assignee}, ${sql.join(copied, sql`, `)}
      FROM ${t} WHERE ${t.id} = ${q.id} AND ${q.id} IN (${selectIds(selection)}) AND ${q.ws} = ${ws}`),
    ...(created.length > 0 ? [insertOtherAssignees(ws, ...created)] : []),
  ];
}

const idColumn = selectColumns({ id: otherAssignees.id });

export function deleteWrongOtherAssignees(ws: number, project: number): Statement<{ id: number }[]> {
  const equal = copiedColumns.map((column) => sql`${t[column]} IS ${q[column]}`);
  return readRows(sql`
    DELETE FROM ${otherAssignees} AS q WHERE ${q.ws} = ${ws} AND ${q.project} = ${project} AND NOT EXISTS (
      SELECT 1 FROM ${t} CROSS JOIN json_each(${t.other_assignees}) n
      WHERE ${t.id} = ${q.id} AND ${t.ws} = ${q.ws} AND n.value = ${q.assignee} AND ${t.assignee} = ${q.first_assignee}
        AND ${sql.join(equal, sql` AND `)})
    RETURNING ${idColumn}`);
}

/** Must run after `deleteWrongOtherAssignees`. */
export function insertMissingOtherAssignees(ws: number, project: number): Statement<{ id: number }[]> {
  const copied = sql.join(
    copiedColumns.map((column) => t[column]),
    sql`, `,
  );
  return readRows(sql`
    INSERT OR REPLACE INTO ${otherAssigneeInsertTarget}
    SELECT ${t.id}, ${t.ws}, n.value, ${t.assignee}, ${copied}
    FROM ${t} INDEXED BY tasks_by_project CROSS JOIN json_each(${t.other_assignees}) n
    WHERE ${t.project} = ${project} AND ${t.ws} = ${ws} AND NOT EXISTS (
      SELECT 1 FROM ${q} WHERE ${q.id} = ${t.id} AND ${q.assignee} = n.value AND ${q.project} = ${t.project})
    RETURNING ${idColumn}`);
}

/** Leaves out tasks on which `member` is an assignee other than the first. Must run before the tasks are changed. */
export function excludeOtherAssignees(
  selection: TaskSelection,
  member: number | TaskExpression,
): TaskSelection {
  return filterTasks(
    selection,
    (t) =>
      sql`NOT EXISTS (SELECT 1 FROM json_each(${t.other_assignees}) n WHERE n.value = ${resolveValue(t, member)})`,
  );
}

/** Builds a JSON list of all assignees. The first one is 0 if the task is unassigned. */
export function buildAssigneeList(assignee: SQL, others: SQL): SQL {
  return sql`('[' || trim(${assignee} || ',' || trim(${others}, '[]'), ',') || ']')`;
}

/**
 * Selects `task`, `project` and `no` for each person who becomes an assignee. Must run before the tasks are changed.
 */
export function selectNewAssignees(selection: TaskSelection, changes: NewValues): SQL {
  const { assignee = t.assignee, other_assignees: others = t.other_assignees } = resolveValues(t, changes);
  const everyone = buildAssigneeList(sql`CAST(${assignee} AS INTEGER)`, sql`${others}`);
  return sql`
    SELECT ${t.id} AS task, ${t.project} AS project, n.value AS no
    FROM ${t} ${selection(t).access} CROSS JOIN json_each(${everyone}) n
    WHERE ${selection(t).where} AND n.value > 0 AND n.value <> ${t.assignee}
      AND NOT EXISTS (SELECT 1 FROM json_each(${t.other_assignees}) o WHERE o.value = n.value)`;
}

/** Replaces one person with another, or removes `from` if `to` is 0. */
export function buildAssigneeReplacement(from: number, to: number): NewValues {
  const selectEveryone = (t: Parameters<TaskExpression>[0]) => sql`(
    SELECT json_group_array(n.no ORDER BY n.place) FROM (
      SELECT iif(value = ${from}, CAST(${to} AS INTEGER), value) AS no, min(key) AS place
      FROM json_each(${buildAssigneeList(t.assignee, t.other_assignees)})
      GROUP BY 1) n WHERE n.no > 0)`;
  return {
    assignee: (t) => sql`coalesce(${selectEveryone(t)} ->> 0, 0)`,
    other_assignees: (t) => sql`json_remove(${selectEveryone(t)}, '$[0]')`,
  };
}
