import type { Caller } from '../../kernel/access/access.ts';
import { rows, type Statement, selectIdsInOrder } from '../../kernel/sql/database.ts';
import { columns, names, type Row, type SQL, sql, typed } from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';

const c = names(comments, 'c');

/** Columns of a comment `c`. Long content is null, and `listContents` reads it afterwards. */
export function buildContentColumns(isShort: SQL) {
  return columns({
    bytes: typed<number>(c.bytes),
    content: typed<string | null>(sql`CASE WHEN ${isShort} THEN ${c.content} END`),
  });
}

const contentColumns = columns({ id: c.id, content: c.content });

/** Doesn't check access, because the caller has just read these comments. */
export function listContents(
  caller: Caller,
  ids: readonly number[],
): Statement<Row<typeof contentColumns>[]> {
  return rows(sql`
    SELECT ${contentColumns} FROM (${selectIdsInOrder(ids)}) page
    CROSS JOIN ${c} ON ${c.id} = page.id AND ${c.ws} = ${caller.workspace}`);
}
