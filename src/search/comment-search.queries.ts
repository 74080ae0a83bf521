import { comments } from '../comments/comments.sql.ts';
import { type Statement, write } from '../kernel/database.ts';
import { names, type SQL, sql } from '../kernel/sql.ts';
import { questionFor, tokensOf } from './grams.ts';
import { commentSearch } from './search.sql.ts';
import { searchKeyOf } from './search-key.ts';

const c = names(comments, 'c');
const s = names(commentSearch, 's');

/*
 * Rows of the index are numbered by workspace and comment, so that days are ranges of numbers. They say which grams a
 * comment holds and not where: a question of many costs what its rarest one costs, and the text decides.
 */

export const COMMENT_BITS = sql.raw('4294967295');

/** D1 binds numbers as REAL, and FTS5 ignores a range of REALs silently: whoever binds one casts it. */
export function searchRowid(ws: SQL, comment: SQL): SQL {
  return sql`((${ws} << 32) | ${comment})`;
}

const integer = (value: number | SQL) => sql`CAST(${value} AS INTEGER)`;

/** What the index holds of a comment. */
export function tokensOfComment(ws: number, content: string): string {
  return tokensOf(ws, [searchKeyOf(content)]);
}

interface SearchRange {
  /** Ids of comments, both included. */
  from: SQL;
  to: SQL;
}

const everyId: SearchRange = { from: sql`0`, to: COMMENT_BITS };

/** FROM and WHERE of the comments `c` that hold the text, archived ones included, with their rows `s` of the index. */
export function searchedComments(ws: number, search: string, ids: SearchRange = everyId): SQL {
  const pattern = searchKeyOf(search);
  const workspace = integer(ws);
  return sql`
    ${s} CROSS JOIN ${c} ON ${c.id} = (s.rowid & ${COMMENT_BITS})
    WHERE comment_search MATCH ${questionFor(ws, pattern)}
    AND s.rowid BETWEEN ${searchRowid(workspace, ids.from)} AND ${searchRowid(workspace, ids.to)}
    AND ${c.ws} = ${ws} AND instr(${c.content_key}, ${pattern}) > 0`;
}

/** Indexes a comment. */
export function indexComment(ws: number, id: SQL, content: string): Statement<void> {
  return write(sql`
    INSERT INTO ${commentSearch} (rowid, ${commentSearch.grams})
    VALUES (${searchRowid(integer(ws), integer(id))}, ${tokensOfComment(ws, content)})`);
}

export function forgetComment(ws: number, id: SQL): Statement<void> {
  return write(sql`DELETE FROM ${commentSearch} WHERE rowid = ${searchRowid(integer(ws), integer(id))}`);
}
