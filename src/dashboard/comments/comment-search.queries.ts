import type { Caller } from '../../kernel/access/access.ts';
import type { Range } from '../../kernel/lists/pagination.ts';
import { number, rows, type Statement } from '../../kernel/sql/database.ts';
import { columns, leftJoined, names, type Row, type SQL, sql, typed } from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { commentCandidates, holdsText } from '../../search/index/comment-search.queries.ts';
import { scopeTables } from '../scope/scope.queries.ts';
import { isShown } from './comment-sources.queries.ts';
import {
  type CommentFilter,
  type DashboardCommentRow,
  edge,
  pageOfComments,
} from './dashboard-comments.queries.ts';

const b = leftJoined(comments, 'b');
const c = names(comments, 'c');
const l = names(comments, 'l');

/** What one part looks at, so that it holds the database for a moment: comments, and bytes of their texts. */
export const CANDIDATES_MAX = 10_000;
const BYTES_MAX = 8_000_000;
/**
 * A workspace with fewer comments above `LONG_BYTES` than this is light: no part of a search can pass `BYTES_MAX`. In a heavy
 * one a part measures candidates before it reads them, which costs more rows.
 */
const LONG_COMMENTS_MAX = 100;
const LONG_BYTES = sql.raw('600');

/** Above every id: as the first id it makes a range empty, as the last one it leaves a range open. */
const NOTHING = sql.raw('4294967295');

const searchedPart = columns({
  /** Comments that the index named, at most `CANDIDATES_MAX`. */
  candidates: typed<number>(sql`coalesce(max(candidates), count(*))`),
  /** How many of them were read. */
  taken: typed<number>(sql`count(*)`),
  /** The oldest that was read. */
  reached: typed<number | null>(sql`min(id)`),
  /** Those that hold the text, as a JSON list of ids. */
  found: typed<string>(sql`json_group_array(id) FILTER (WHERE found)`),
});

export type SearchedPart = Row<typeof searchedPart>;

/** What is searched: for whom, where, and for what. */
export interface CommentSearch {
  readonly caller: Caller;
  readonly filter: CommentFilter;
  readonly text: string;
}

/**
 * Looks at the newest comments that may hold the text and are older than `before`. Of the two statements one looks, and
 * the other finds no candidate: which one depends on how many long comments the workspace has.
 */
export function searchPart(
  search: CommentSearch,
  before: number | null,
): [light: Statement<SearchedPart[]>, heavy: Statement<SearchedPart[]>] {
  const { caller, filter, text } = search;
  const { tables, condition } = isShown(caller, filter);
  const found = sql`(${c.archived} = 0 AND ${condition} AND ${holdsText(text)}) AS found`;
  const ownComment = sql`${c.id} = n.id AND ${c.ws} = ${caller.workspace}`;
  // Candidates are what the index named, whether or not they are still there: else a part would look like the last one.
  const light = sql`
    SELECT n.id AS id, NULL AS candidates, ${found}
    FROM (${candidates(search, before, 'light')}) n LEFT JOIN ${c} ON ${ownComment}`;
  const heavy = sql`
    SELECT ${c.id} AS id, k.candidates AS candidates, ${found}
    FROM (
      SELECT n.id AS id, count(*) OVER () AS candidates,
        total(${b.bytes}) OVER (ORDER BY n.id DESC ROWS UNBOUNDED PRECEDING) - ${b.bytes} AS bytes_before
      FROM (${candidates(search, before, 'heavy')}) n
      LEFT JOIN ${b} ON ${b.id} = n.id AND ${b.ws} = ${caller.workspace}
    ) k CROSS JOIN ${c} ON ${c.id} = k.id WHERE k.bytes_before < ${BYTES_MAX} LIMIT -1`;
  const part = (looked: SQL) =>
    rows(sql`
    WITH RECURSIVE ${scopeTables(caller, filter)}, ${tables} SELECT ${searchedPart} FROM (${looked})`);
  return [part(light), part(heavy)];
}

/**
 * The page of a search whose matches are all in the first part, in the trip of that part. It takes the matches in the order
 * of the candidates, which SQL does not promise: compare the ids. Empty where the workspace has many long comments.
 */
export function listFirstMatches(search: CommentSearch, range: Range): Statement<DashboardCommentRow[]> {
  const { caller, filter, text } = search;
  const { tables, condition } = isShown(caller, filter);
  const before = range.after === null ? null : Number(range.after[0]);
  const ids = sql`
    SELECT ${c.id} AS id FROM (${candidates(search, before, 'light')}) n
    CROSS JOIN ${c} ON ${c.id} = n.id AND ${c.ws} = ${caller.workspace}
    WHERE ${c.archived} = 0 AND ${condition} AND ${holdsText(text)}
    LIMIT ${range.limit + 1} OFFSET ${range.offset}`;
  return pageOfComments(caller, sql`${scopeTables(caller, filter)}, ${tables}`, ids, range.limit + 1);
}

/** The newest of those that hold the text, among the newest `most` that may hold it; and how many those are. */
export function listNewestFound(
  search: CommentSearch,
  rowsMax: number,
  most: number,
): [found: Statement<DashboardCommentRow[]>, candidates: Statement<number>] {
  const { caller, filter, text } = search;
  const { tables, condition } = isShown(caller, filter);
  const newest = commentCandidates(caller.workspace, text, idsOf(search, null), sql.raw(String(most)));
  const ids = sql`
    SELECT ${c.id} AS id FROM (${newest}) n CROSS JOIN ${c} ON ${c.id} = n.id AND ${c.ws} = ${caller.workspace}
    WHERE ${c.archived} = 0 AND ${condition} AND ${holdsText(text)} LIMIT ${rowsMax}`;
  return [
    pageOfComments(caller, sql`${scopeTables(caller, filter)}, ${tables}`, ids, rowsMax),
    number(sql`SELECT count(*) AS total FROM (${newest})`),
  ];
}

/** A SELECT of the column `id`, newest first. It selects nothing if the workspace has the other weight. */
function candidates(search: CommentSearch, before: number | null, weight: 'light' | 'heavy'): SQL {
  const { caller, text } = search;
  const isLight = sql`(
    SELECT count(*) FROM (
      SELECT 1 FROM ${l} INDEXED BY comments_long WHERE ${l.ws} = ${caller.workspace} AND ${l.bytes} > ${LONG_BYTES}
      LIMIT ${LONG_COMMENTS_MAX})) < ${LONG_COMMENTS_MAX}`;
  const [most, none] = [sql.raw(String(CANDIDATES_MAX)), sql.raw('0')];
  const [ifLight, ifHeavy] = weight === 'light' ? [most, none] : [none, most];
  const limit = sql`iif(${isLight}, ${ifLight}, ${ifHeavy})`;
  return commentCandidates(caller.workspace, text, idsOf(search, before), limit);
}

/** The comments of the days that the filter names, older than `before`. */
function idsOf({ caller, filter }: CommentSearch, before: number | null): { from: SQL; to: SQL } {
  const first = edge(caller, filter.from, 'first');
  const last = edge(caller, filter.to, 'last');
  return {
    from: first ? sql`coalesce(${first}, ${NOTHING})` : sql`0`,
    to: sql`min(${last ? sql`coalesce(${last}, 0)` : NOTHING}, ${before === null ? NOTHING : sql`${before - 1}`})`,
  };
}
