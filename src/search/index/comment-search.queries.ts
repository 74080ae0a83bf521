import { type Statement, write } from '../../kernel/sql/database.ts';
import { names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { commentSearch } from '../../schema/cell/search.ts';
import { questionFor, tokensOf } from './grams.ts';
import { searchKeyOf } from './search-key.ts';

const c = names(comments, 'c');
const s = names(commentSearch, 's');

/*
 * Index rows are numbered by workspace and comment, so days are ranges of numbers. They hold the grams of a comment without
 * positions: a search costs what its rarest gram costs, and the text decides.
 */

export const COMMENT_BITS = sql.raw('4294967295');

/** D1 binds numbers as REAL, and FTS5 silently ignores a range of REALs. Cast bound numbers. */
export function searchRowid(ws: SQL, comment: SQL): SQL {
  return sql`((${ws} << 32) | ${comment})`;
}

const integer = (value: number | SQL) => sql`CAST(${value} AS INTEGER)`;

export function tokensOfComment(ws: number, content: string): string {
  return tokensOf(ws, [searchKeyOf(content)]);
}

interface SearchRange {
  /** Ids of comments, both included. */
  from: SQL;
  to: SQL;
}

/** Selects `id`: the newest `limit` candidates of the range. The text decides which of them match. */
export function commentCandidates(ws: number, search: string, ids: SearchRange, limit: SQL): SQL {
  const workspace = integer(ws);
  return sql`
    SELECT s.rowid & ${COMMENT_BITS} AS id FROM ${s}
    WHERE comment_search MATCH ${questionFor(ws, searchKeyOf(search))}
    AND s.rowid BETWEEN ${searchRowid(workspace, ids.from)} AND ${searchRowid(workspace, ids.to)}
    ORDER BY s.rowid DESC LIMIT ${limit}`;
}

/** Condition: the comment `c` contains the text. Put it last, because it reads the text. */
export function holdsText(search: string): SQL {
  return sql`instr(${c.content_key}, ${searchKeyOf(search)}) > 0`;
}

export function indexComment(ws: number, id: SQL, content: string): Statement<void> {
  return write(sql`
    INSERT INTO ${commentSearch} (rowid, ${commentSearch.grams})
    VALUES (${searchRowid(integer(ws), integer(id))}, ${tokensOfComment(ws, content)})`);
}

export function unindexComment(ws: number, id: SQL): Statement<void> {
  return write(sql`DELETE FROM ${commentSearch} WHERE rowid = ${searchRowid(integer(ws), integer(id))}`);
}
