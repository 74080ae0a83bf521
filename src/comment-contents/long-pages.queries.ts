import { comments } from '../comments/comments.sql.ts';
import type { Caller } from '../kernel/access.ts';
import { idsInOrder, rows, type Statement } from '../kernel/database.ts';
import { columns, names, type SQL, sql } from '../kernel/sql.ts';

const c = names(comments, 'c');

/** The columns `bytes` and `content` of a comment `c`; a content that does not fit is left for `readContents`. */
export function contentWithin(isShort: SQL): SQL {
  return sql`${c.bytes} AS bytes, CASE WHEN ${isShort} THEN ${c.content} END AS content`;
}

/** The contents of these comments. The caller has just been shown them. */
export function readContents(
  caller: Caller,
  ids: readonly number[],
): Statement<{ id: number; content: string }[]> {
  return rows(sql`
    SELECT ${columns({ id: c.id, content: c.content })} FROM (${idsInOrder(ids)}) page
    CROSS JOIN ${c} ON ${c.id} = page.id AND ${c.ws} = ${caller.workspace}`);
}
