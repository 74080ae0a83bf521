import type { Caller } from '../../kernel/access/access.ts';
import { buildInList, readRows, type Statement, write } from '../../kernel/sql/database.ts';
import {
  aliasTable,
  nameInsertColumns,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { type StoredRelationType, taskRelations } from '../../schema/cell/relations.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { taskStatuses } from '../fields.ts';
import { completedStatus } from '../statuses.queries.ts';
import { isTaskVisible, seesEveryTask, type TaskAlias } from '../visibility/task-visibility.queries.ts';
import { type NewValues, resolveValues } from './new-values.queries.ts';
import {
  buildSelectionFromClause,
  selectIds,
  selectNewTasks,
  type TaskSelection,
} from './selection.queries.ts';

const b = aliasTable(tasks, 'b');
const r = aliasTable(taskRelations, 'r');
const t = aliasTable(tasks, 't');

/** Only open tasks block other tasks. */
export function isOpenTask({ status, archived }: Readonly<Record<'status' | 'archived', SQL>>): SQL {
  return sql`(${archived} = 0 AND ${status} <> ${completedStatus})`;
}

export function isOpen({ status, archived }: Readonly<Record<'status' | 'archived', number>>): boolean {
  return archived === 0 && taskStatuses[status] !== 'completed';
}

export function isBlocked(t: TaskAlias, caller: Caller): SQL<number> {
  const hasOpenBlocker = sql`${t.open_blockers} > 0`;
  if (seesEveryTask(caller)) return withType(hasOpenBlocker);
  return withType(sql`(${hasOpenBlocker} AND EXISTS (
    SELECT 1 FROM ${r} INDEXED BY task_relations_by_target CROSS JOIN ${b} ON ${b.id} = ${r.source}
    WHERE ${r.ws} = ${caller.workspace} AND ${r.target} = ${t.id} AND ${r.type} = 'blocks'
      AND ${isOpenTask(b)} AND ${isTaskVisible(b, caller)}))`);
}

export function affectsBlockedTasks({ status, archived }: NewValues): boolean {
  return status !== undefined || archived !== undefined;
}

function willBeOpen(changes: NewValues): SQL {
  const { status = t.status, archived = t.archived } = resolveValues(t, changes);
  return isOpenTask({ status: sql`${status}`, archived: sql`${archived}` });
}

/** Must run before the tasks change. */
export function selectClosingTasks(selection: TaskSelection, changes: NewValues): SQL {
  return sql`SELECT ${t.id} FROM ${buildSelectionFromClause(t, selection)}
    AND ${isOpenTask(t)} AND NOT ${willBeOpen(changes)}`;
}

/** Must run before the tasks change, because it reads their old values. */
export function updateOpenBlockers(
  ws: number,
  selection: TaskSelection,
  changes: NewValues,
): Statement<void> {
  const changed = sql`SELECT ${t.id} AS id, ${willBeOpen(changes)} - ${isOpenTask(t)} AS change
    FROM ${buildSelectionFromClause(t, selection)} LIMIT -1`;
  return write(sql`
    UPDATE ${tasks} NOT INDEXED SET ${tasks.open_blockers} = ${tasks.open_blockers} + d.change
    FROM (SELECT ${r.target} AS id, sum(s.change) AS change FROM (${changed}) s
      CROSS JOIN ${r} INDEXED BY task_relations_by_source
        ON ${r.ws} = ${ws} AND ${r.source} = s.id AND ${r.type} = 'blocks'
      WHERE s.change <> 0 GROUP BY ${r.target}) d
    WHERE ${tasks}.id = d.id AND ${tasks}.ws = ${ws}`);
}

const countOpenBlockers = (ws: number) => sql`(
  SELECT count(*) FROM ${r} INDEXED BY task_relations_by_target CROSS JOIN ${b} ON ${b.id} = ${r.source}
  WHERE ${r.ws} = ${ws} AND ${r.target} = ${t.id} AND ${r.type} = 'blocks' AND ${b.ws} = ${ws} AND ${isOpenTask(b)})`;

export function recountOpenBlockers(ws: number, ids: readonly number[]): Statement<void> {
  return write(sql`
    UPDATE ${tasks} AS t NOT INDEXED SET ${tasks.open_blockers} = ${countOpenBlockers(ws)}
    WHERE ${t.ws} = ${ws} AND ${t.id} IN ${buildInList(ids)}`);
}

/** Recounts the open blockers of these tasks and of the tasks that they block. */
export function recountBlockersOfRelatedTasks(ws: number, ids: SQL): Statement<void> {
  return write(sql`
    UPDATE ${tasks} AS t NOT INDEXED SET ${tasks.open_blockers} = ${countOpenBlockers(ws)}
    WHERE ${t.ws} = ${ws} AND ${t.id} IN (${ids} UNION SELECT ${r.target} FROM (${ids}) s
      CROSS JOIN ${r} INDEXED BY task_relations_by_source
        ON ${r.ws} = ${ws} AND ${r.source} = s.id AND ${r.type} = 'blocks')
      AND ${t.open_blockers} <> ${countOpenBlockers(ws)}`);
}

const idColumn = selectColumns({ id: tasks.id });

export function repairOpenBlockers({ id, ws }: { id: number; ws: number }): Statement<{ id: number }[]> {
  const counted = countOpenBlockers(ws);
  return readRows(sql`
    UPDATE ${tasks} AS t INDEXED BY tasks_by_project SET ${tasks.open_blockers} = ${counted}
    WHERE ${t.project} = ${id} AND ${t.ws} = ${ws} AND ${t.open_blockers} <> ${counted} RETURNING ${idColumn}`);
}

export interface StoredRelation {
  type: StoredRelationType;
  source: number;
  target: number;
}

/** Relates tasks that the same batch creates. `source` and `target` are indexes into these tasks. */
export function relateNewTasks(
  ws: number,
  relations: readonly StoredRelation[],
  created: number,
): Statement<void>[] {
  if (relations.length === 0) return [];
  const first = sql`(SELECT max(${t.id}) FROM ${t}) - ${created} + 1`;
  return [
    write(sql`
      INSERT INTO ${nameInsertColumns(taskRelations, 'ws', 'type', 'source', 'target')}
      SELECT ${ws}, d.value ->> 'type', ${first} + (d.value ->> 'source'), ${first} + (d.value ->> 'target')
      FROM json_each(${JSON.stringify(relations)}) d`),
    recountBlockersOfRelatedTasks(ws, selectIds(selectNewTasks(created))),
  ];
}

/**
 * Updates the target's number of open blockers. Does nothing if the source isn't open or the relation isn't of type
 * `blocks`.
 */
export function changeBlockerCount(
  ws: number,
  { type, source, target }: StoredRelation,
  change: 1 | -1,
): Statement<void>[] {
  if (type !== 'blocks') return [];
  return [
    write(sql`
      UPDATE ${tasks} SET ${tasks.open_blockers} = ${tasks.open_blockers} + ${change}
      WHERE ${tasks.id} = ${target} AND ${tasks.ws} = ${ws} AND EXISTS (
        SELECT 1 FROM ${b} WHERE ${b.id} = ${source} AND ${b.ws} = ${ws} AND ${isOpenTask(b)})`),
  ];
}
