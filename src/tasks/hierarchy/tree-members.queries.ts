import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, readRows, type Statement, selectIdsInOrder } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
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
export function selectTreeMembers(roots: readonly number[]): SQL {
  return sql`
    SELECT r.value AS id, 1 AS level, r.value AS top FROM json_each(${JSON.stringify(roots)}) r
    UNION ALL SELECT b.id, b.level, b.top FROM (${selectDescendants(selectIdsInOrder(roots))}) b`;
}

/**
 * Includes deleted tasks, and tasks that the caller can't see. If there are more than `TREE_MEMBERS_MAX`, returns one
 * more than that.
 */
export function listTreeMembers(caller: Caller, roots: readonly number[]): Statement<TreeMember[]> {
  return readRows(sql`
    SELECT ${memberColumns} FROM (${selectTreeMembers(roots)}) d CROSS JOIN ${t} NOT INDEXED ON ${t.id} = d.id
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
