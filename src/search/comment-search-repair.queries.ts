import { sql } from 'drizzle-orm';
import { rows, type Statement, write } from '../kernel/database.ts';
import { COMMENT_BITS, searchRowid, tokensOfComment } from './comment-search.queries.ts';
import { questionFor } from './grams.ts';
import { searchKeyOf } from './search-key.ts';

/** The source of a row of the search index. */
export interface IndexedComment {
  id: number;
  ws: number;
  content: string;
  content_key: string;
}

const texts = sql`c.id AS id, c.ws AS ws, c.content AS content, c.content_key AS content_key`;

/** The next comments of the cell, by id. */
export function listContents(after: number, limit: number): Statement<IndexedComment[]> {
  return rows<IndexedComment>(sql`
    SELECT ${texts} FROM comments c NOT INDEXED WHERE c.id > ${after} AND c.ws > 0 ORDER BY c.id LIMIT ${limit}`);
}

/** About `count` comments spread over the cell; all of them if there are no more. */
export function sampleContents(count: number): Statement<IndexedComment[]> {
  const step = sql`max(1, (SELECT max(id) FROM comments) / ${count})`;
  return rows<IndexedComment>(sql`
    SELECT ${texts} FROM comments c NOT INDEXED
    WHERE c.id % CAST(${step} AS INTEGER) = 0 AND c.ws > 0 ORDER BY c.id DESC LIMIT ${count}`);
}

/** Searches read the folded form. */
export function isContentKeyCurrent({ content, content_key }: IndexedComment): boolean {
  return searchKeyOf(content) === content_key;
}

/** Folds a comment again, unless it has changed since. */
export function rewriteContentKey({ id, content }: IndexedComment): Statement<void> {
  return write(sql`
    UPDATE comments SET content_key = ${searchKeyOf(content)} WHERE id = ${id} AND content = ${content}`);
}

const CHARACTERS_ASKED_MAX = 60;

const isSame = sql.raw(`c.content_key = json_extract(d.value, '$.key')`);

/** Those of the comments that a search for their own beginning or end does not find, unless they have changed since. */
export function listUnfoundComments(comments: readonly IndexedComment[]): Statement<{ id: number }[]> {
  const asked = comments.flatMap(({ id, ws, content }) => {
    const key = searchKeyOf(content);
    // No search asks for an empty text.
    if (key === '') return [];
    const ends = [key.slice(0, CHARACTERS_ASKED_MAX), key.slice(-CHARACTERS_ASKED_MAX)];
    return [{ id, key, match: ends.map((end) => `(${questionFor(ws, end)})`).join(' AND ') }];
  });
  return rows<{ id: number }>(sql`
    SELECT c.id AS id FROM json_each(${JSON.stringify(asked)}) d
    CROSS JOIN comments c ON c.id = json_extract(d.value, '$.id') AND ${isSame}
    WHERE NOT EXISTS (SELECT 1 FROM comment_search s
      WHERE comment_search MATCH json_extract(d.value, '$.match') AND s.rowid = ${searchRowid(sql`c.ws`, sql`c.id`)})`);
}

/** Rewrites the rows of these comments. A comment that has changed since was indexed by that change, and stays. */
export function reindexComments(comments: readonly IndexedComment[]): Statement<void>[] {
  const columns = JSON.stringify(
    comments.map(({ id, ws, content }) => ({
      id,
      key: searchKeyOf(content),
      tokens: tokensOfComment(ws, content),
    })),
  );
  const current = sql`json_each(${columns}) d CROSS JOIN comments c ON c.id = json_extract(d.value, '$.id') AND ${isSame}`;
  const rowid = searchRowid(sql`c.ws`, sql`c.id`);
  return [
    write(sql`DELETE FROM comment_search WHERE rowid IN (SELECT ${rowid} FROM ${current})`),
    write(sql`
      INSERT INTO comment_search (rowid, grams) SELECT ${rowid}, json_extract(d.value, '$.tokens') FROM ${current}`),
  ];
}

/** Deletes rows that belong to no comment. At most `limit` a run. */
export function dropStrayCommentRows(limit: number): Statement<void> {
  return write(sql`
    DELETE FROM comment_search WHERE rowid IN (
      SELECT s.rowid FROM comment_search s WHERE NOT EXISTS (
        SELECT 1 FROM comments c
        WHERE c.id = (s.rowid & ${COMMENT_BITS}) AND s.rowid = ${searchRowid(sql`c.ws`, sql`c.id`)})
      LIMIT ${limit})`);
}

/** Empties the index. Searches find nothing until it is filled again. */
export function emptyCommentSearch(): Statement<void> {
  return write(sql`INSERT INTO comment_search (comment_search) VALUES ('delete-all')`);
}
