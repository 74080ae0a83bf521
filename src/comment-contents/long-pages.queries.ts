import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../kernel/access.ts';
import { idsInOrder, rows, type Statement } from '../kernel/database.ts';

/** The columns `bytes` and `content` of a comment `c`; a content that does not fit is left for `readContents`. */
export function contentWithin(isShort: SQL): SQL {
  return sql`c.bytes AS bytes, CASE WHEN ${isShort} THEN c.content END AS content`;
}

/** The contents of these comments. The caller has just been shown them. */
export function readContents(
  caller: Caller,
  ids: readonly number[],
): Statement<{ id: number; content: string }[]> {
  return rows<{ id: number; content: string }>(sql`
    SELECT c.id AS id, c.content AS content FROM (${idsInOrder(ids)}) page
    CROSS JOIN comments c ON c.id = page.id AND c.ws = ${caller.workspace}`);
}
