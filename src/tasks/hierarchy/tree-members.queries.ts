import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, readRows, type SQL, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { selectDescendants } from './hierarchy.queries.ts';

const t = aliasTable(tasks, 't');

const memberColumns = selectColumns({
  id: t.id,
  level: withType<number>(sql`d.level`),
  comments: t.comment_count,
});
export type TreeMember = Row<typeof memberColumns>;

export function selectTreeMembers(root: number): SQL {
  return sql`
    SELECT ${root} AS id, 1 AS level
    UNION ALL SELECT b.id, b.level FROM (${selectDescendants(sql`SELECT ${root} AS id`)}) b`;
}

/** Includes deleted tasks, and tasks that the caller can't see. */
export function listTreeMembers(caller: Caller, root: number): Statement<TreeMember[]> {
  return readRows(sql`
    SELECT ${memberColumns} FROM (${selectTreeMembers(root)}) d CROSS JOIN ${t} NOT INDEXED ON ${t.id} = d.id
    WHERE abs(${t.ws}) = ${caller.workspace}`);
}

export function assertTreeMembersUnchanged(root: number, read: readonly TreeMember[]): Statement<void> {
  const ids = JSON.stringify(read.map(({ id }) => id));
  return assertUnchanged(sql`
    (SELECT count(*) = ${read.length} AND sum(d.id NOT IN (SELECT value FROM json_each(${ids}))) = 0
    FROM (${selectTreeMembers(root)}) d)`);
}
