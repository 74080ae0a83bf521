import type { Caller } from '../../kernel/access/access.ts';
import type { PageRange } from '../../kernel/lists/pagination.ts';
import { readNumber, readRows, type Statement } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { commentContains, selectCommentCandidates } from '../../search/index/comment-search.queries.ts';
import { buildScopeTables } from '../scope/scope.queries.ts';
import { buildCommentScopeCondition } from './comment-scope.queries.ts';
import {
  type CommentFilter,
  type DashboardCommentRow,
  listCommentPage,
  selectBoundaryId,
} from './dashboard-comments.queries.ts';

const b = aliasLeftJoinedTable(comments, 'b');
const c = aliasTable(comments, 'c');
const l = aliasTable(comments, 'l');

/** Limits how many comments one part of a search reads, so that its batch blocks the database only briefly. */
export const CANDIDATES_PER_PART_MAX = 10_000;
const BYTES_PER_PART_MAX = 8_000_000;
/**
 * If a workspace has at least this many long comments, its searches are `heavy`: they check sizes before
 * reading contents.
 */
const LONG_COMMENTS_THRESHOLD = 100;
const LONG_COMMENT_BYTES = sql.raw('600');

/** No comment has a higher id. A range that starts here is empty, and a range that ends here has no upper bound. */
const COMMENT_ID_MAX = sql.raw('4294967295');

const searchedPartColumns = selectColumns({
  candidates: withType<number>(sql`coalesce(max(candidates), count(*))`),
  taken: withType<number>(sql`count(*)`),
  reached: withType<number | null>(sql`min(id)`),
  found: withType<string>(sql`json_group_array(id) FILTER (WHERE found)`),
});

export type CommentSearchPart = Row<typeof searchedPartColumns>;

export interface CommentSearch {
  readonly caller: Caller;
  readonly filter: CommentFilter;
  readonly text: string;
}

/**
 * Only one of the two statements finds candidates: `heavy` if the workspace has many long comments, otherwise `light`.
 */
export function searchCommentsBefore(
  search: CommentSearch,
  before: number | null,
): [light: Statement<CommentSearchPart[]>, heavy: Statement<CommentSearchPart[]>] {
  const { caller, filter, text } = search;
  const { tables, condition } = buildCommentScopeCondition(caller, filter);
  const found = sql`(${c.archived} = 0 AND ${condition} AND ${commentContains(text)}) AS found`;
  const ownComment = sql`${c.id} = n.id AND ${c.ws} = ${caller.workspace}`;
  // Also counts deleted comments that are still indexed, because a part with too few comments counts as the last one.
  const light = sql`
    SELECT n.id AS id, NULL AS candidates, ${found}
    FROM (${selectCandidates(search, before, 'light')}) n LEFT JOIN ${c} ON ${ownComment}`;
  const heavy = sql`
    SELECT ${c.id} AS id, k.candidates AS candidates, ${found}
    FROM (
      SELECT n.id AS id, count(*) OVER () AS candidates,
        total(${b.bytes}) OVER (ORDER BY n.id DESC ROWS UNBOUNDED PRECEDING) - ${b.bytes} AS bytes_before
      FROM (${selectCandidates(search, before, 'heavy')}) n
      LEFT JOIN ${b} ON ${b.id} = n.id AND ${b.ws} = ${caller.workspace}
    ) k CROSS JOIN ${c} ON ${c.id} = k.id WHERE k.bytes_before < ${BYTES_PER_PART_MAX} LIMIT -1`;
  const buildPart = (looked: SQL) =>
    readRows(sql`
    WITH RECURSIVE ${buildScopeTables(caller, filter)}, ${tables} SELECT ${searchedPartColumns} FROM (${looked})`);
  return [buildPart(light), buildPart(heavy)];
}

/**
 * Assumes that the first part of the search contains the whole page. The caller compares the page with the result of
 * all parts, and reads the page again if they differ.
 */
export function listFirstMatches(search: CommentSearch, range: PageRange): Statement<DashboardCommentRow[]> {
  const { caller, filter, text } = search;
  const { tables, condition } = buildCommentScopeCondition(caller, filter);
  const before = range.after === null ? null : Number(range.after[0]);
  const ids = sql`
    SELECT ${c.id} AS id FROM (${selectCandidates(search, before, 'light')}) n
    CROSS JOIN ${c} ON ${c.id} = n.id AND ${c.ws} = ${caller.workspace}
    WHERE ${c.archived} = 0 AND ${condition} AND ${commentContains(text)}
    LIMIT ${range.limit + 1} OFFSET ${range.offset}`;
  return listCommentPage(caller, sql`${buildScopeTables(caller, filter)}, ${tables}`, ids, range.limit + 1);
}

export function listNewestMatches(
  search: CommentSearch,
  rowsMax: number,
  most: number,
): [found: Statement<DashboardCommentRow[]>, candidates: Statement<number>] {
  const { caller, filter, text } = search;
  const { tables, condition } = buildCommentScopeCondition(caller, filter);
  const newest = selectCommentCandidates(
    caller.workspace,
    text,
    buildIdRange(search, null),
    sql.raw(String(most)),
  );
  const ids = sql`
    SELECT ${c.id} AS id FROM (${newest}) n CROSS JOIN ${c} ON ${c.id} = n.id AND ${c.ws} = ${caller.workspace}
    WHERE ${c.archived} = 0 AND ${condition} AND ${commentContains(text)} LIMIT ${rowsMax}`;
  return [
    listCommentPage(caller, sql`${buildScopeTables(caller, filter)}, ${tables}`, ids, rowsMax),
    readNumber(sql`SELECT count(*) AS total FROM (${newest})`),
  ];
}

function selectCandidates(search: CommentSearch, before: number | null, weight: 'light' | 'heavy'): SQL {
  const { caller, text } = search;
  const isLight = sql`(
    SELECT count(*) FROM (
      SELECT 1 FROM ${l} INDEXED BY comments_long WHERE ${l.ws} = ${caller.workspace} AND ${l.bytes} > ${LONG_COMMENT_BYTES}
      LIMIT ${LONG_COMMENTS_THRESHOLD})) < ${LONG_COMMENTS_THRESHOLD}`;
  const [most, none] = [sql.raw(String(CANDIDATES_PER_PART_MAX)), sql.raw('0')];
  const [ifLight, ifHeavy] = weight === 'light' ? [most, none] : [none, most];
  const limit = sql`iif(${isLight}, ${ifLight}, ${ifHeavy})`;
  return selectCommentCandidates(caller.workspace, text, buildIdRange(search, before), limit);
}

function buildIdRange({ caller, filter }: CommentSearch, before: number | null): { from: SQL; to: SQL } {
  const first = selectBoundaryId(caller, filter.from, 'first');
  const last = selectBoundaryId(caller, filter.to, 'last');
  return {
    from: first ? sql`coalesce(${first}, ${COMMENT_ID_MAX})` : sql`0`,
    to: sql`min(${last ? sql`coalesce(${last}, 0)` : COMMENT_ID_MAX}, ${before === null ? COMMENT_ID_MAX : sql`${before - 1}`})`,
  };
}
