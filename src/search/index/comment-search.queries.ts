import { type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { commentSearch } from '../../schema/cell/search.ts';
import { buildIndexQuery, buildSearchTokens, buildUnlistedToken, countTokens } from './ngrams.ts';
import { toSearchKey } from './search-key.ts';

const c = aliasTable(comments, 'c');
const s = aliasTable(commentSearch, 's');

/*
 * A row number combines the workspace with the comment's id. Newer comments have higher ids, so a range of days is a
 * range of rows.
 */

export const COMMENT_ID_MASK = sql.raw('4294967295');

/** Numbers must be cast with `toInteger`, because D1 binds them as REAL and FTS5 silently ignores a range of REALs. */
export function toSearchRowid(ws: SQL, comment: SQL): SQL {
  return sql`((${ws} << 32) | ${comment})`;
}

const toInteger = (value: number | SQL) => sql`CAST(${value} AS INTEGER)`;

export function toCommentTokens(ws: number, content: string): string {
  return buildSearchTokens(ws, [toSearchKey(content)]);
}

interface CommentIdRange {
  from: SQL;
  to: SQL;
}

/** Selects the newest `limit` candidates. Not all of them contain the search text, so the content must be checked. */
export function selectCommentCandidates(ws: number, search: string, ids: CommentIdRange, limit: SQL): SQL {
  const workspace = toInteger(ws);
  return sql`
    SELECT s.rowid & ${COMMENT_ID_MASK} AS id FROM ${s}
    WHERE comment_search MATCH ${buildIndexQuery(ws, toSearchKey(search))}
    AND s.rowid BETWEEN ${toSearchRowid(workspace, ids.from)} AND ${toSearchRowid(workspace, ids.to)}
    ORDER BY s.rowid DESC LIMIT ${limit}`;
}

/** Must be the last condition, because it reads the whole comment. */
export function commentContains(search: string): SQL {
  return sql`instr(${c.content_key}, ${toSearchKey(search)}) > 0`;
}

export function indexComment(ws: number, id: SQL, content: string): Statement<void> {
  return write(sql`
    INSERT INTO ${commentSearch} (rowid, ${commentSearch.grams})
    VALUES (${toSearchRowid(toInteger(ws), toInteger(id))}, ${toCommentTokens(ws, content)})`);
}

/** All comments in `ids` must have this content. */
export function indexComments(ws: number, ids: SQL, content: string): Statement<void> {
  return write(sql`
    INSERT INTO ${commentSearch} (rowid, ${commentSearch.grams})
    SELECT ${toSearchRowid(toInteger(ws), c.id)}, ${toCommentTokens(ws, content)} FROM ${c} WHERE ${c.id} IN ${ids}`);
}

/**
 * Indexes new comments with different texts. Once `tokensMax` tokens are indexed, searches read the remaining texts
 * instead, so that a batch never indexes too much.
 */
export function indexDifferentComments(
  ws: number,
  created: SQL,
  contents: readonly string[],
  tokensMax: number,
): Statement<void> {
  let left = tokensMax;
  const rows = contents.map((content) => {
    const tokens = left > 0 ? toCommentTokens(ws, content) : buildUnlistedToken(ws);
    left -= countTokens(tokens);
    return left >= 0 ? tokens : buildUnlistedToken(ws);
  });
  return write(sql`
    INSERT INTO ${commentSearch} (rowid, ${commentSearch.grams})
    SELECT ${toSearchRowid(toInteger(ws), sql`n.id`)}, d.value
    FROM (SELECT ${c.id} AS id, row_number() OVER (ORDER BY ${c.id}) - 1 AS place FROM ${c} WHERE ${c.id} IN ${created}) n
    CROSS JOIN json_each(${JSON.stringify(rows)}) d ON d.key = n.place`);
}

export function unindexComment(ws: number, id: SQL): Statement<void> {
  return write(
    sql`DELETE FROM ${commentSearch} WHERE rowid = ${toSearchRowid(toInteger(ws), toInteger(id))}`,
  );
}

/** @param ids a SELECT of `id`. */
export function unindexSelectedComments(ws: number, ids: SQL): Statement<void> {
  const rowid = toSearchRowid(toInteger(ws), sql`s.id`);
  return write(sql`DELETE FROM ${commentSearch} WHERE rowid IN (SELECT ${rowid} FROM (${ids}) s)`);
}

export function unindexComments(ws: number, ids: string): Statement<void> {
  const rowid = toSearchRowid(toInteger(ws), sql`CAST(d.value AS INTEGER)`);
  return write(sql`DELETE FROM ${commentSearch} WHERE rowid IN (SELECT ${rowid} FROM json_each(${ids}) d)`);
}
