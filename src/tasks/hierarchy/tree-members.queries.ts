import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, readRows, type Statement, selectIdsInOrder } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';
import { DESCENDANTS_MAX, selectDescendants } from './hierarchy.queries.ts';

const t = aliasTable(tasks, 't');

const memberColumns = selectColumns({ id: t.id, parent: t.parent, comments: t.comment_count });
export type TreeMember = Row<typeof memberColumns>;

/**
 * The maximum number of tasks that one request moves, deletes or restores, including subtasks. The largest tree always
 * fits. Moving this many tasks in a batch takes about 120 ms.
 */
export const TREE_MEMBERS_MAX = 100 + DESCENDANTS_MAX;

/** Selects the roots and their descendants. `top` is the nearest root. */
export const selectTreeMembers = (roots: readonly number[]) => selectMembersBelow(selectIdsInOrder(roots));

function selectMembersBelow(roots: SQL): SQL {
  return sql`
    SELECT r.id AS id, 1 AS level, r.id AS top FROM (${roots}) r
    UNION ALL SELECT b.id, b.level, b.top FROM (${selectDescendants(roots)}) b`;
}

/**
 * Includes deleted tasks, and descendants that the caller can't see. If there are more than `TREE_MEMBERS_MAX`, returns
 * one more than that.
 */
export function listTreeMembers(caller: Caller, ids: readonly number[]): Statement<TreeMember[]> {
  const roots = sql`SELECT ${t.id} FROM (${selectIdsInOrder(ids)}) i CROSS JOIN ${t} NOT INDEXED ON ${t.id} = i.id
    WHERE ${isTaskVisible(t, caller)} OR ${t.ws} = -${caller.workspace}`;
  return readRows(sql`
    SELECT ${memberColumns} FROM (${selectMembersBelow(roots)}) d CROSS JOIN ${t} NOT INDEXED ON ${t.id} = d.id
    WHERE abs(${t.ws}) = ${caller.workspace} LIMIT ${TREE_MEMBERS_MAX + 1}`);
}

export function assertTreeMembersUnchanged(
  trees: readonly { root: number; members: readonly { id: number }[] }[],
): Statement<void> {
  const roots = trees.map(({ root }) => root);
  const read = trees.flatMap(({ root, members }) => members.map(({ id }) => [id, root]));
  return assertUnchanged(sql`
    (SELECT count(*) = ${read.length} AND sum((d.id, d.top) NOT IN (
        SELECT r.value ->> 0, r.value ->> 1 FROM json_each(${JSON.stringify(read)}) r)) = 0
    FROM (${selectTreeMembers(roots)}) d)`);
}
