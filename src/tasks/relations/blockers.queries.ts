import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, readRows, type Statement, write } from '../../kernel/sql/database.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { taskRelations } from '../../schema/cell/relations.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';
import { CYCLE_CHECK_TASKS_MAX } from './relations.queries.ts';
import { RELATIONS_MAX } from './relations.schema.ts';

const b = aliasTable(tasks, 'b');
const r = aliasTable(taskRelations, 'r');

export type BlockerPair = readonly [source: number, target: number];

const buildBlockerColumns = (caller: Caller) => ({
  source: r.source,
  target: r.target,
  is_visible: withType<0 | 1>(sql`(${isTaskVisible(b, caller)})`),
});
export type BlockerRow = Row<ReturnType<typeof selectColumns<ReturnType<typeof buildBlockerColumns>>>>;

function buildBlockersFromClause({ workspace }: Caller, ids: readonly number[]): SQL {
  return sql`json_each(${JSON.stringify(ids)}) i CROSS JOIN ${r} INDEXED BY task_relations_by_target
    ON ${r.ws} = ${workspace} AND ${r.target} = i.value AND ${r.type} = 'blocks'`;
}

export function listBlockers(caller: Caller, ids: readonly number[]): Statement<BlockerRow[]> {
  return readRows(sql`
    SELECT ${selectColumns(buildBlockerColumns(caller))} FROM ${buildBlockersFromClause(caller, ids)}
    CROSS JOIN ${b} ON ${b.id} = ${r.source} ORDER BY ${r.target}, ${r.source}`);
}

export function assertBlockersUnchanged(
  caller: Caller,
  ids: readonly number[],
  read: readonly BlockerRow[],
): Statement<void> {
  const pairs = JSON.stringify(read.map(({ target, source }) => [target, source]));
  return assertUnchanged(sql`
    (SELECT json_group_array(json_array(${r.target}, ${r.source}) ORDER BY ${r.target}, ${r.source})
    FROM ${buildBlockersFromClause(caller, ids)}) = ${pairs}`);
}

export function deleteBlockers({ workspace }: Caller, removed: readonly BlockerPair[]): Statement<void> {
  return write(sql`
    DELETE FROM ${taskRelations} WHERE ${taskRelations.ws} = ${workspace} AND ${taskRelations.type} = 'blocks'
      AND (${taskRelations.source}, ${taskRelations.target}) IN (
        SELECT d.value ->> 0, d.value ->> 1 FROM json_each(${JSON.stringify(removed)}) d)`);
}

export function insertBlockers({ workspace }: Caller, added: readonly BlockerPair[]): Statement<void> {
  return write(sql`
    INSERT INTO ${nameInsertColumns(taskRelations, 'ws', 'type', 'source', 'target')}
    SELECT ${workspace}, 'blocks', d.value ->> 0, d.value ->> 1 FROM json_each(${JSON.stringify(added)}) d`);
}

/**
 * False if a new blocker creates a cycle, if the check would read too many tasks, or if a task has too many relations.
 * Must run after the new blockers are inserted.
 */
export function areBlockersAllowed(caller: Caller, added: readonly BlockerPair[]): SQL {
  return sql`${hasNoCycles(caller, added)} AND ${hasRoomForRelations(caller, added)}`;
}

function hasNoCycles({ workspace }: Caller, added: readonly BlockerPair[]): SQL {
  const pairs = JSON.stringify(added);
  return sql`(
    WITH RECURSIVE blocked (start, id) AS (
      SELECT d.value ->> 1, d.value ->> 1 FROM json_each(${pairs}) d
      UNION
      SELECT k.start, ${r.target} FROM blocked k CROSS JOIN ${r} INDEXED BY task_relations_by_source
        ON ${r.ws} = ${workspace} AND ${r.source} = k.id AND ${r.type} = 'blocks'
      LIMIT ${CYCLE_CHECK_TASKS_MAX + 1})
    SELECT count(*) <= ${CYCLE_CHECK_TASKS_MAX} AND NOT coalesce(max((k.id, k.start) IN (
      SELECT d.value ->> 0, d.value ->> 1 FROM json_each(${pairs}) d)), 0) FROM blocked k)`;
}

function hasRoomForRelations({ workspace }: Caller, added: readonly BlockerPair[]): SQL {
  const ids = JSON.stringify([...new Set(added.flat())]);
  const count = (side: 'source' | 'target') => sql`(
    SELECT count(*) FROM ${r} INDEXED BY ${sql.raw(`task_relations_by_${side}`)}
    WHERE ${r.ws} = ${workspace} AND ${r[side]} = i.value)`;
  return sql`NOT EXISTS (
    SELECT 1 FROM json_each(${ids}) i WHERE ${count('source')} + ${count('target')} > ${RELATIONS_MAX})`;
}
