import { type SQL, sql } from 'drizzle-orm';
import { rows, type Statement, write } from '../kernel/database.ts';
import { fold } from '../tasks/fold.ts';
import { COMMENT_BITS, searchRowid, TRIGRAM, trigramQuestion } from './comment-search.queries.ts';
import { SHORT_MAX, shortTerm } from './short-terms.ts';

/** The source of a row of the search indexes. */
export interface IndexedComment {
  id: number;
  content: string;
  content_key: string;
}

const texts = sql`c.id AS id, c.content AS content, c.content_key AS content_key`;

/** The next comments of the cell, by id. */
export function listContents(after: number, limit: number): Statement<IndexedComment[]> {
  return rows<IndexedComment>(sql`
    SELECT ${texts} FROM comments c NOT INDEXED WHERE c.id > ${after} ORDER BY c.id LIMIT ${limit}`);
}

/** About `count` comments from all over the cell; all of them where there are no more. */
export function sampleContents(count: number): Statement<IndexedComment[]> {
  const step = sql`max(1, (SELECT max(id) FROM comments) / ${count})`;
  return rows<IndexedComment>(sql`
    SELECT ${texts} FROM comments c NOT INDEXED
    WHERE c.id % CAST(${step} AS INTEGER) = 0 ORDER BY c.id DESC LIMIT ${count}`);
}

/** Searches read the folded form. */
export function isContentFolded({ content, content_key }: IndexedComment): boolean {
  return fold(content) === content_key;
}

/** Folds a comment anew, unless it has changed since. */
export function refoldContent({ id, content }: IndexedComment): Statement<void> {
  return write(sql`
    UPDATE comments SET content_key = ${fold(content)} WHERE id = ${id} AND content = ${content}`);
}

const CHARACTERS_ASKED_MAX = 60;

/** Those of the comments that a search for their own beginning does not find. */
export function listUnfoundComments(comments: readonly IndexedComment[]): Statement<{ id: number }[]> {
  const asked = comments.map(({ id, content }) => {
    const characters = [...fold(content)].slice(0, CHARACTERS_ASKED_MAX);
    return {
      id,
      term: `"${shortTerm(characters.slice(0, SHORT_MAX).join(''))}"`,
      match: characters.length < TRIGRAM ? null : trigramQuestion(characters.join('')),
    };
  });
  const value = (name: string) => sql.raw(`json_extract(d.value, '$.${name}')`);
  const isMissing = (index: string, match: SQL) => sql`
    ${match} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${sql.raw(index)} s
      WHERE ${sql.raw(index)} MATCH ${match} AND s.rowid = ${searchRowid(sql`c.ws`, sql`c.id`)})`;
  return rows<{ id: number }>(sql`
    SELECT c.id AS id FROM json_each(${JSON.stringify(asked)}) d CROSS JOIN comments c ON c.id = ${value('id')}
    WHERE (${isMissing('comment_terms', value('term'))}) OR (${isMissing('comment_search', value('match'))})`);
}

/**
 * Writes the rows of the comments from one id to another anew, from what they hold at this moment. The short terms are
 * made in SQL, as short-terms.ts makes them, so that no statement carries a text however long.
 */
export function reindexComments(from: number, to: number): Statement<void>[] {
  const range = sql`c.id BETWEEN ${from} AND ${to}`;
  const rowid = searchRowid(sql`c.ws`, sql`c.id`);
  const forget = (index: string) =>
    write(sql`
      DELETE FROM ${sql.raw(index)} WHERE rowid IN (SELECT ${rowid} FROM comments c NOT INDEXED WHERE ${range})`);
  const code = (position: SQL) => sql`unicode(substr(c.content_key, ${position}, 1))`;
  return [
    forget('comment_search'),
    forget('comment_terms'),
    write(sql`
      INSERT INTO comment_search (rowid, content)
      SELECT ${rowid}, c.content_key FROM comments c NOT INDEXED WHERE ${range}`),
    write(sql`
      WITH RECURSIVE spot (id, at, length) AS (
        SELECT c.id, 1, length(c.content_key) FROM comments c NOT INDEXED WHERE ${range}
        UNION ALL SELECT id, at + 1, length FROM spot WHERE at < length),
      term (id, word) AS (
        SELECT c.id, printf('%x', ${code(sql`s.at`)}) FROM spot s CROSS JOIN comments c ON c.id = s.id
        UNION
        SELECT c.id, printf('%xz%x', ${code(sql`s.at`)}, ${code(sql`s.at + 1`)})
        FROM spot s CROSS JOIN comments c ON c.id = s.id WHERE s.at < s.length)
      INSERT INTO comment_terms (rowid, terms)
      SELECT ${rowid}, w.words FROM (SELECT id, group_concat(word, ' ') AS words FROM term GROUP BY id) w
      CROSS JOIN comments c ON c.id = w.id`),
  ];
}

/** Deletes rows that belong to no comment. At most `limit` a run. */
export function dropStrayCommentRows(limit: number): Statement<void>[] {
  return ['comment_search', 'comment_terms'].map((index) =>
    write(sql`
      DELETE FROM ${sql.raw(index)} WHERE rowid IN (
        SELECT s.rowid FROM ${sql.raw(index)} s WHERE NOT EXISTS (
          SELECT 1 FROM comments c
          WHERE c.id = (s.rowid & ${COMMENT_BITS}) AND s.rowid = ${searchRowid(sql`c.ws`, sql`c.id`)})
        LIMIT ${limit})`),
  );
}

/** Empties both indexes. Searches find nothing until they are filled again. */
export function emptyCommentSearch(): Statement<void>[] {
  return ['comment_search', 'comment_terms'].map((index) =>
    write(sql`INSERT INTO ${sql.raw(index)} (${sql.raw(index)}) VALUES ('delete-all')`),
  );
}
