import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, readRows, type Statement, selectIdsInOrder } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { buildSelectionFromClause, filterTasks, type TaskSelection } from '../model/selection.queries.ts';
import { stateFields } from '../model/tasks.queries.ts';
import { SUBTASKS_MAX } from '../model/tasks.schema.ts';
import { isTaskVisible, type TaskAlias } from '../visibility/task-visibility.queries.ts';

/** The maximum number of levels in a tree, including the root. */
export const TASK_LEVELS_MAX = 5;
export const DESCENDANTS_MAX = 1_000;
/** The maximum number of tasks that one request reads, across all trees. */
export const TREE_ROWS_MAX = 20_000;
/** Archiving or restoring this many descendants in a batch takes about 200 ms. */
export const AFFECTED_DESCENDANTS_MAX = 2_000;

const a = aliasLeftJoinedTable(members, 'a');
const c = aliasTable(tasks, 'c');
const p = aliasTable(tasks, 'p');
const named = aliasLeftJoinedTable(tasks, 'named');
const t = aliasTable(tasks, 't');

const chainMax = sql.raw(String(TASK_LEVELS_MAX));

/** Defines the tables `up`, from each task to its root, and `down`, from each root to its descendants. */
function buildTreeTables(starts: SQL, limit = sql``): SQL {
  return sql`
    WITH RECURSIVE up (start, id, parent, level) AS MATERIALIZED (
      ${starts}
      UNION ALL
      SELECT u.start, ${p.id}, ${p.parent}, u.level + 1 FROM up u CROSS JOIN ${p} NOT INDEXED ON ${p.id} = u.parent
      WHERE u.level < ${chainMax}),
    down (root, id, parent, level) AS MATERIALIZED (
      SELECT DISTINCT u.id, u.id, NULL, 1 FROM up u WHERE u.parent IS NULL
      UNION ALL
      SELECT d.root, ${c.id}, ${c.parent}, d.level + 1
      FROM down d CROSS JOIN ${c} INDEXED BY tasks_by_parent ON ${c.parent} = d.id
      WHERE d.level <= ${chainMax} ${limit})`;
}

const treeColumns = selectColumns({
  id: withType<number>(sql`d.id`),
  parent: withType<number | null>(sql`d.parent`),
  /** `project` and `archived` are null unless the request names this task as a new parent and the caller can see it. */
  project: named.project,
  archived: named.archived,
});
export type TreeRow = Row<typeof treeColumns>;

/** A reader without a role sees every task in the workspace. */
type TreeReader = Caller | { readonly workspace: number; readonly role?: undefined };

function isVisibleToReader(t: TaskAlias, reader: TreeReader): SQL {
  return reader.role === undefined ? sql`${t.ws} = ${reader.workspace}` : isTaskVisible(t, reader);
}

/**
 * Returns the complete trees of the tasks in `ids` and `parents`, up to `TREE_ROWS_MAX` rows. `parents` are the tasks
 * that get new subtasks.
 */
export function listTrees(
  reader: TreeReader,
  { ids = [], parents }: { ids?: readonly number[]; parents: readonly number[] },
): Statement<TreeRow[]> {
  return listSelectedTrees(reader, {
    ids: sql`SELECT j.value AS id FROM json_each(${JSON.stringify([...new Set([...ids, ...parents])])}) j`,
    parents: sql`SELECT j.value FROM json_each(${JSON.stringify(parents)}) j`,
  });
}

/** Like `listTrees`, but `ids` and `parents` are SELECTs of `id`, and `ids` includes the parents. */
export function listSelectedTrees(
  reader: TreeReader,
  { ids, parents }: Readonly<Record<'ids' | 'parents', SQL>>,
): Statement<TreeRow[]> {
  const starts = sql`SELECT ${t.id}, ${t.id}, ${t.parent}, 1 FROM (${ids}) i
    CROSS JOIN ${t} NOT INDEXED ON ${t.id} = i.id WHERE ${t.ws} = ${reader.workspace}`;
  return readRows(sql`
    ${buildTreeTables(starts, sql`LIMIT ${TREE_ROWS_MAX}`)}
    SELECT ${treeColumns} FROM down d
    LEFT JOIN ${named} ON ${named.id} = iif(d.id IN (${parents}), d.id, NULL) AND ${isVisibleToReader(named, reader)}`);
}

/** Aborts the batch if a selected task can't have its parent. Must run after the tasks are written. */
export function assertValidParents(reader: TreeReader, selection: TaskSelection): Statement<void> {
  const subtasks = filterTasks(
    selection,
    (t) => sql`${t.ws} = ${reader.workspace} AND ${t.parent} IS NOT NULL`,
  );
  const starts = sql`SELECT ${t.id}, ${t.id}, ${t.parent}, 1 FROM ${buildSelectionFromClause(t, subtasks)}`;
  return assertUnchanged(sql`(
    ${buildTreeTables(starts)}
    SELECT NOT EXISTS (
        SELECT 1 FROM up s WHERE s.level = 1 AND NOT EXISTS (
          SELECT 1 FROM ${t} CROSS JOIN ${p} ON ${p.id} = ${t.parent} WHERE ${t.id} = s.id
            AND ${p.project} = ${t.project} AND ${p.archived} = 0 AND ${isVisibleToReader(p, reader)}))
      AND (SELECT count(*) FROM up WHERE level = 1) = (
        SELECT count(*) FROM up WHERE parent IS NULL AND level <= ${chainMax})
      AND NOT EXISTS (
        SELECT 1 FROM (SELECT DISTINCT parent FROM up WHERE level = 1) n WHERE (
          SELECT count(*) FROM ${c} INDEXED BY tasks_by_parent WHERE ${c.parent} = n.parent) > ${SUBTASKS_MAX})
      AND NOT EXISTS (
        SELECT 1 FROM down GROUP BY root
        HAVING max(level) > ${chainMax} OR count(*) > ${DESCENDANTS_MAX + 1}))`);
}

/**
 * `top` is the descendant's nearest ancestor in `tops`. Visits the deepest levels first, so that a LIMIT ends the
 * query before it has read every tree.
 */
export function selectDescendants(tops: SQL): SQL {
  return sql`
    WITH RECURSIVE tops (id) AS MATERIALIZED (${tops}),
    below (id, top, level) AS (
      SELECT id, id, 1 FROM tops
      UNION ALL
      SELECT ${c.id}, b.top, b.level + 1
      FROM below b CROSS JOIN ${c} INDEXED BY tasks_by_parent ON ${c.parent} = b.id
      WHERE b.level < ${chainMax} AND ${c.id} NOT IN (SELECT id FROM tops)
      ORDER BY 3 DESC)
    SELECT b.id, b.top, b.level FROM below b WHERE b.level > 1`;
}

const descendantColumns = selectColumns({
  ...stateFields,
  description: withType<string | null | undefined>(sql`NULL`),
  description_bytes: withType<number>(sql`0`),
  is_parent_hidden: withType<number>(sql`0`),
  top: withType<number>(sql`f.top`),
});
/** A descendant that is archived or restored together with `top`. */
export type DescendantState = Row<typeof descendantColumns>;

/**
 * A task in `ids` that is already in the requested state, or that the caller can't see, is affected only as a
 * descendant of another task in `ids`.
 */
function selectAffectedDescendants(caller: Caller, ids: readonly number[] | SQL, archived: 0 | 1): SQL {
  const listed = 'queryChunks' in ids ? ids : selectIdsInOrder(ids);
  const tops = sql`SELECT ${p.id} FROM (${listed}) j CROSS JOIN ${p} NOT INDEXED
    ON ${p.id} = j.id WHERE ${isTaskVisible(p, caller)} AND ${p.archived} = ${1 - archived}`;
  return archived === 1
    ? sql`SELECT d.id, d.top FROM (${selectDescendants(tops)}) d CROSS JOIN ${t} NOT INDEXED ON ${t.id} = d.id
        WHERE ${t.ws} = ${caller.workspace} AND ${t.archived} = 0`
    : sql`SELECT ${t.id}, ${t.archived_with} AS top FROM ${t} INDEXED BY tasks_archived_with
        WHERE ${t.archived_with} IN (${tops}) AND ${t.ws} = ${caller.workspace}`;
}

const topColumns = selectColumns({ id: withType<number>(sql`f.top`) });

export function listTasksWithAffectedDescendants(
  caller: Caller,
  { archiving, restoring }: Readonly<Record<'archiving' | 'restoring', SQL>>,
): Statement<{ id: number }[]> {
  return readRows(sql`
    SELECT DISTINCT ${topColumns} FROM (
      SELECT a.top FROM (${selectAffectedDescendants(caller, archiving, 1)}) a
      UNION ALL SELECT b.top FROM (${selectAffectedDescendants(caller, restoring, 0)}) b) f`);
}

/**
 * Includes tasks that the caller can't see, because archiving a parent also archives all its descendants. If there are
 * more than `AFFECTED_DESCENDANTS_MAX`, returns one more than that.
 */
export function listAffectedDescendants(
  caller: Caller,
  ids: readonly number[],
  archived: 0 | 1,
): Statement<DescendantState[]> {
  return readRows(sql`
    SELECT ${descendantColumns} FROM (${selectAffectedDescendants(caller, ids, archived)}) f
    CROSS JOIN ${t} NOT INDEXED ON ${t.id} = f.id LEFT JOIN ${a} ON ${a.no} = ${t.assignee}
    LIMIT ${AFFECTED_DESCENDANTS_MAX + 1}`);
}

export function assertAffectedDescendants(
  caller: Caller,
  {
    ids,
    archived,
    descendants,
  }: { ids: readonly number[]; archived: 0 | 1; descendants: readonly DescendantState[] },
): Statement<void> {
  const versions = JSON.stringify(descendants.map(({ id, version }) => [id, version]));
  return assertUnchanged(sql`
    (SELECT count(*) FROM (${selectAffectedDescendants(caller, ids, archived)})) = ${descendants.length}
    AND NOT EXISTS (SELECT 1 FROM json_each(${versions}) d WHERE NOT EXISTS (
      SELECT 1 FROM ${t} NOT INDEXED WHERE ${t.id} = d.value ->> 0 AND ${t.ws} = ${caller.workspace}
        AND ${t.version} = d.value ->> 1 AND ${t.archived} = ${1 - archived}))`);
}
