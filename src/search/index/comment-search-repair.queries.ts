import { readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { commentSearch } from '../../schema/cell/search.ts';
import { COMMENT_ID_MASK, toCommentTokens, toSearchRowid } from './comment-search.queries.ts';
import { buildIndexQuery } from './ngrams.ts';
import { toSearchKey } from './search-key.ts';

const c = aliasTable(comments, 'c');
const s = aliasTable(commentSearch, 's');

const searchableCommentColumns = selectColumns({
  id: c.id,
  ws: c.ws,
  content: c.content,
  content_key: c.content_key,
});
export type SearchableComment = Row<typeof searchableCommentColumns>;

export function listSearchableComments(after: number, limit: number): Statement<SearchableComment[]> {
  return readRows(sql`
    SELECT ${searchableCommentColumns} FROM ${c} NOT INDEXED WHERE ${c.id} > ${after} ORDER BY ${c.id} LIMIT ${limit}`);
}

export function sampleSearchableComments(count: number): Statement<SearchableComment[]> {
  const step = sql`max(1, (SELECT max(${comments.id}) FROM ${comments}) / ${count})`;
  return readRows(sql`
    SELECT ${searchableCommentColumns} FROM ${c} NOT INDEXED
    WHERE ${c.id} % CAST(${step} AS INTEGER) = 0 ORDER BY ${c.id} DESC LIMIT ${count}`);
}

export function isContentKeyCurrent({ content, content_key }: SearchableComment): boolean {
  return toSearchKey(content) === content_key;
}

export function rewriteContentKey({ id, content }: SearchableComment): Statement<void> {
  return write(sql`
    UPDATE ${comments} SET ${comments.content_key} = ${toSearchKey(content)} WHERE ${comments.id} = ${id}
      AND ${comments.content} = ${content}`);
}

const PATTERN_CHARACTERS_MAX = 60;

const isUnchanged = sql.raw(`${c.content_key} = json_extract(d.value, '$.key')`);

const idColumn = selectColumns({ id: c.id });

/**
 * Lists the comments that aren't found by searching for their own text. Skips comments that have changed since they
 * were read.
 */
export function listUnindexedComments(found: readonly SearchableComment[]): Statement<{ id: number }[]> {
  const asked = found.flatMap(({ id, ws, content }) => {
    const key = toSearchKey(content);
    if (key === '') return [];
    const ends = [key.slice(0, PATTERN_CHARACTERS_MAX), key.slice(-PATTERN_CHARACTERS_MAX)];
    return [{ id, key, match: ends.map((end) => `(${buildIndexQuery(ws, end)})`).join(' AND ') }];
  });
  return readRows(sql`
    SELECT ${idColumn} FROM json_each(${JSON.stringify(asked)}) d
    CROSS JOIN ${c} ON ${c.id} = json_extract(d.value, '$.id') AND ${isUnchanged}
    WHERE NOT EXISTS (SELECT 1 FROM ${s}
      WHERE comment_search MATCH json_extract(d.value, '$.match')
        AND s.rowid = ${toSearchRowid(c.ws, c.id)})`);
}

/** Skips comments that have changed since they were read, because that change has already indexed them again. */
export function reindexComments(found: readonly SearchableComment[]): Statement<void>[] {
  const columns = JSON.stringify(
    found.map(({ id, ws, content }) => ({
      id,
      key: toSearchKey(content),
      tokens: toCommentTokens(ws, content),
    })),
  );
  const current = sql`json_each(${columns}) d CROSS JOIN ${c} ON ${c.id} = json_extract(d.value, '$.id')
    AND ${isUnchanged}`;
  const rowid = toSearchRowid(c.ws, c.id);
  return [
    write(sql`DELETE FROM ${commentSearch} WHERE rowid IN (SELECT ${rowid} FROM ${current})`),
    write(sql`
      INSERT INTO ${commentSearch} (rowid, grams) SELECT ${rowid}, json_extract(d.value, '$.tokens')
        FROM ${current}`),
  ];
}

export function deleteStrayCommentRows(limit: number): Statement<void>[] {
  return [
    write(sql`
    DELETE FROM ${commentSearch} WHERE rowid IN (
      SELECT s.rowid FROM ${s} WHERE NOT EXISTS (
        SELECT 1 FROM ${c}
        WHERE ${c.id} = (s.rowid & ${COMMENT_ID_MASK}) AND s.rowid = ${toSearchRowid(c.ws, c.id)})
      LIMIT ${limit})`),
  ];
}

export function clearCommentIndex(): Statement<void> {
  return write(sql`INSERT INTO ${commentSearch} (comment_search) VALUES ('delete-all')`);
}
