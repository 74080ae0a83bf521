import type { Caller } from '../../kernel/access/access.ts';
import { readRows, type Statement, selectIdsInOrder } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';

const c = aliasTable(comments, 'c');

/** `content` is null for a long comment, which `listContents` reads later. */
export function buildContentColumns(isShort: SQL) {
  return selectColumns({
    bytes: withType<number>(c.bytes),
    content: withType<string | null>(sql`CASE WHEN ${isShort} THEN ${c.content} END`),
  });
}

const contentColumns = selectColumns({ id: c.id, content: c.content });

/** Doesn't check access, because the caller has just read these comments. */
export function listContents(
  caller: Caller,
  ids: readonly number[],
): Statement<Row<typeof contentColumns>[]> {
  return readRows(sql`
    SELECT ${contentColumns} FROM (${selectIdsInOrder(ids)}) page
    CROSS JOIN ${c} ON ${c.id} = page.id AND ${c.ws} = ${caller.workspace}`);
}
