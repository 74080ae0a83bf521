import { type Statement, write } from '../../kernel/sql/database.ts';
import { names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { commentSearch } from '../../schema/cell/search.ts';
import { questionFor, tokensOf } from './grams.ts';
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

/** A SELECT of the column `id`: the newest `limit` comments of the range that may hold the text; the text decides. */
export function commentCandidates(ws: number, search: string, ids: SearchRange, limit: SQL): SQL {
  const workspace = integer(ws);
  return sql`
    SELECT s.rowid & ${COMMENT_BITS} AS id FROM ${s}
    WHERE comment_search MATCH ${questionFor(ws, searchKeyOf(search))}
    AND s.rowid BETWEEN ${searchRowid(workspace, ids.from)} AND ${searchRowid(workspace, ids.to)}
    ORDER BY s.rowid DESC LIMIT ${limit}`;
}

/** Condition: the comment `c` holds the text. Put it last: it reads the text. */
export function holdsText(search: string): SQL {
  return sql`instr(${c.content_key}, ${searchKeyOf(search)}) > 0`;
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
