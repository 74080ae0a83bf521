import type { Caller } from '../../kernel/access/access.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import {
  assertUnchanged,
  buildInList,
  readFirstRow,
  readNumber,
  readRow,
  readRows,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { projects } from '../../schema/cell/projects.ts';
import { type StoredRelationType, taskRelations } from '../../schema/cell/relations.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import type { StoredRelation } from '../model/relations.queries.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';
import { RELATIONS_MAX } from './relations.schema.ts';

const n = aliasTable(taskRelations, 'n');
const o = aliasTable(tasks, 'o');
const p = aliasTable(projects, 'p');
const r = aliasTable(taskRelations, 'r');
const t = aliasTable(tasks, 't');

/** The maximum number of tasks that a cycle check reads, for all new relations together. */
export const CYCLE_CHECK_TASKS_MAX = 5_000;

const relationColumns = selectColumns({
  id: n.id,
  type: withType<StoredRelationType>(n.type),
  side: withType<'source' | 'target'>(sql`n.side`),
  task_id: o.id,
  task_name: o.name,
  task_status: o.status,
  task_archived: o.archived,
  project_id: p.id,
  project_name: p.name,
});
export type RelationRow = Row<typeof relationColumns>;

function selectTaskRelations(caller: Caller, task: number, condition: SQL): SQL {
  const selectSide = (side: 'source' | 'target', other: 'source' | 'target') => sql`
    SELECT ${r.id} AS id, ${r.type} AS type, ${sql.raw(`'${side}'`)} AS side, ${r[other]} AS other
    FROM ${r} INDEXED BY ${sql.raw(`task_relations_by_${side}`)}
    WHERE ${r.ws} = ${caller.workspace} AND ${r[side]} = ${task} AND ${condition}`;
  return sql`${selectSide('source', 'target')} UNION ALL ${selectSide('target', 'source')}`;
}

function selectVisibleRelations(caller: Caller, task: number, condition: SQL): SQL<RelationRow> {
  return withType(sql`
    SELECT ${relationColumns} FROM (${selectTaskRelations(caller, task, condition)}) n
    CROSS JOIN ${o} ON ${o.id} = n.other AND ${isTaskVisible(o, caller)}
    CROSS JOIN ${p} ON ${p.id} = ${o.project}`);
}

export function listRelations(caller: Caller, task: number, range: PageRange): Statement<RelationRow[]> {
  return readRows(
    sql`
    ${selectVisibleRelations(caller, task, isAfter(range, [{ column: r.id }]))}
    ORDER BY n.id ${buildLimit(range)}` as SQL<RelationRow>,
  );
}

/** Returns -1 if the caller can't see the task. */
export function countRelations(caller: Caller, task: number): Statement<number> {
  return readNumber(sql`
    SELECT coalesce((SELECT (
      SELECT count(*) FROM (${selectTaskRelations(caller, task, sql`true`)}) n
      CROSS JOIN ${o} ON ${o.id} = n.other AND ${isTaskVisible(o, caller)})
    FROM ${t} WHERE ${t.id} = ${task} AND ${isTaskVisible(t, caller)}), -1) AS total`);
}

export function findRelation(caller: Caller, task: number, id: number): Statement<RelationRow | null> {
  return readFirstRow(selectVisibleRelations(caller, task, sql`${r.id} = ${id}`));
}

export function findMatchingRelation(
  caller: Caller,
  task: number,
  { type, source, target }: StoredRelation,
): Statement<RelationRow | null> {
  return readFirstRow(
    selectVisibleRelations(
      caller,
      task,
      sql`${r.type} = ${type} AND ${r.source} = ${source} AND ${r.target} = ${target}`,
    ),
  );
}

const otherTaskColumns = selectColumns({ id: t.id, archived: t.archived });

export function findOtherTask(caller: Caller, id: number): Statement<Row<typeof otherTaskColumns> | null> {
  return readFirstRow(
    sql`SELECT ${otherTaskColumns} FROM ${t} WHERE ${t.id} = ${id} AND ${isTaskVisible(t, caller)}`,
  );
}

const relationCheckColumns = selectColumns({
  is_related: withType<0 | 1>(sql`f.is_related`),
  is_cycle: withType<0 | 1>(sql`f.is_cycle`),
  walked: withType<number>(sql`f.walked`),
  source_count: withType<number>(sql`f.source_count`),
  target_count: withType<number>(sql`f.target_count`),
});
/** The counts also include relations with tasks that the caller can't see. */
export type RelationChecks = Row<typeof relationCheckColumns>;

interface RelationTasks {
  type: StoredRelationType;
  source: number | SQL;
  target: number | SQL;
}

function selectRelationChecks({ workspace }: Caller, { type, source, target }: RelationTasks): SQL {
  const hasRelation = (from: number | SQL, to: number | SQL) => sql`EXISTS (
    SELECT 1 FROM ${r} INDEXED BY task_relations_by_source WHERE ${r.ws} = ${workspace}
      AND ${r.source} = ${from} AND ${r.type} = ${type} AND ${r.target} = ${to})`;
  const count = (task: number | SQL) => sql`(
    SELECT count(*) FROM ${r} INDEXED BY task_relations_by_source
    WHERE ${r.ws} = ${workspace} AND ${r.source} = ${task}) + (
    SELECT count(*) FROM ${r} INDEXED BY task_relations_by_target
    WHERE ${r.ws} = ${workspace} AND ${r.target} = ${task})`;
  const blocked = sql`
    WITH RECURSIVE blocked (id) AS (
      SELECT ${target}
      UNION
      SELECT ${r.target} FROM blocked k CROSS JOIN ${r} INDEXED BY task_relations_by_source
        ON ${r.ws} = ${workspace} AND ${r.source} = k.id AND ${r.type} = 'blocks'
      LIMIT ${CYCLE_CHECK_TASKS_MAX + 1})
    SELECT max(id = ${source}) AS is_cycle, count(*) AS walked FROM blocked`;
  const walk = type === 'blocks' ? blocked : sql`SELECT 0 AS is_cycle, 0 AS walked`;
  const isReversed = type === 'duplicates' ? sql` OR ${hasRelation(target, source)}` : sql``;
  return sql`
    SELECT (${hasRelation(source, target)}${isReversed}) AS is_related, w.is_cycle, w.walked,
      ${count(source)} AS source_count, ${count(target)} AS target_count
    FROM (${walk}) w`;
}

export function findRelationChecks(caller: Caller, relation: StoredRelation): Statement<RelationChecks> {
  return readRow(sql`SELECT ${relationCheckColumns} FROM (${selectRelationChecks(caller, relation)}) f`);
}

/** Returns one row per relation, in the order of `relations`. All relations must be of type `type`. */
export function listRelationChecks(
  caller: Caller,
  type: StoredRelationType,
  relations: readonly StoredRelation[],
): Statement<RelationChecks[]> {
  const list = JSON.stringify(relations.map(({ source, target }) => [source, target]));
  const ends = { type, source: sql`(d.value ->> 0)`, target: sql`(d.value ->> 1)` };
  const limits = withType<string>(sql`(
    SELECT json_object('is_related', f.is_related, 'is_cycle', f.is_cycle, 'walked', f.walked,
      'source_count', f.source_count, 'target_count', f.target_count)
    FROM (${selectRelationChecks(caller, ends)}) f)`);
  const found = readRows(sql`
    SELECT ${selectColumns({ limits })} FROM json_each(${list}) d ORDER BY d.key`);
  return { ...found, read: (rows) => found.read(rows).map((row) => JSON.parse(row.limits)) };
}

/**
 * Aborts the batch if the caller can no longer see the task `other`, or if a concurrent change prevents the relation.
 */
export function assertRelationAllowed(
  caller: Caller,
  other: number,
  relation: StoredRelation,
): Statement<void> {
  return assertUnchanged(sql`
    EXISTS (SELECT 1 FROM ${t} WHERE ${t.id} = ${other} AND ${isTaskVisible(t, caller)}) AND (
      SELECT NOT f.is_related AND NOT f.is_cycle AND f.walked <= ${CYCLE_CHECK_TASKS_MAX}
        AND f.source_count < ${RELATIONS_MAX} AND f.target_count < ${RELATIONS_MAX}
      FROM (${selectRelationChecks(caller, relation)}) f)`);
}

export function insertRelation(
  { workspace }: Caller,
  { type, source, target }: StoredRelation,
): Statement<void> {
  return write(sql`
    INSERT INTO ${nameInsertColumns(taskRelations, 'ws', 'type', 'source', 'target')}
    VALUES (${workspace}, ${type}, ${source}, ${target})`);
}

const stateColumns = selectColumns({
  id: withType<number | null>(r.id),
  is_visible: withType<0 | 1>(sql`is_visible`),
});
export type RelationState = Row<typeof stateColumns>;

/** Returns one row per relation, in the order of `relations`. `is_visible` is 1 if the caller can see both tasks. */
export function listRelationStates(
  caller: Caller,
  relations: readonly StoredRelation[],
): Statement<RelationState[]> {
  const list = JSON.stringify(relations.map(({ type, source, target }) => [type, source, target]));
  return readRows(sql`
    SELECT ${stateColumns} FROM (
      SELECT d.key AS place, d.value ->> 0 AS type, d.value ->> 1 AS source, d.value ->> 2 AS target,
        (SELECT count(*) FROM ${t} WHERE ${t.id} IN (d.value ->> 1, d.value ->> 2) AND ${isTaskVisible(t, caller)}) = 2
          AS is_visible
      FROM json_each(${list}) d) w
    LEFT JOIN ${r} ON ${r.ws} = ${caller.workspace} AND ${r.source} = w.source AND ${r.type} = w.type
      AND ${r.target} = w.target
    ORDER BY w.place`);
}

export function deleteRelations({ workspace }: Caller, ids: readonly number[]): Statement<void>[] {
  return [
    write(sql`
      DELETE FROM ${taskRelations}
      WHERE ${taskRelations.ws} = ${workspace} AND ${taskRelations.id} IN ${buildInList(ids)}`),
    assertUnchanged(sql`changes() = ${ids.length}`),
  ];
}

export function deleteRelation({ workspace }: Caller, id: number): Statement<void>[] {
  return [
    write(
      sql`DELETE FROM ${taskRelations} WHERE ${taskRelations.ws} = ${workspace} AND ${taskRelations.id} = ${id}`,
    ),
    assertUnchanged(sql`changes() = 1`),
  ];
}
