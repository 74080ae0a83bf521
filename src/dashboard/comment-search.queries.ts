import { comments } from '../comments/comments.sql.ts';
import type { Caller } from '../kernel/access.ts';
import { rows, type Statement } from '../kernel/database.ts';
import { columns, leftJoined, names, type Row, sql, typed } from '../kernel/sql.ts';
import { commentCandidates, holdsText } from '../search/comment-search.queries.ts';
import { isShown } from './comment-sources.queries.ts';
import { type CommentFilter, edge } from './comments.queries.ts';
import { scopeTables } from './scope.queries.ts';

const b = leftJoined(comments, 'b');
const c = names(comments, 'c');

/** What one part looks at, so that it holds the database for a moment: comments, and bytes of their texts. */
export const CANDIDATES_MAX = 10_000;
const BYTES_MAX = 8_000_000;

/** Above every id: a first id that ends a range before it begins, a last one that ends none. */
const NOTHING = sql.raw('4294967295');

const searchedPart = columns({
  /** Comments that the index named, at most `CANDIDATES_MAX`. */
  candidates: typed<number>(sql`coalesce(max(candidates), 0)`),
  /** How many of them were read. */
  taken: typed<number>(sql`count(*)`),
  /** The oldest that was read. */
  reached: typed<number | null>(sql`min(id)`),
  /** Those that hold the text, as a JSON list of ids. */
  found: typed<string>(sql`json_group_array(id) FILTER (WHERE found)`),
});

export type SearchedPart = Row<typeof searchedPart>;

/** Looks at the newest comments that may hold the text and are older than `before`. */
export function searchPart(
  caller: Caller,
  filter: CommentFilter,
  search: string,
  before: number | null,
): Statement<SearchedPart[]> {
  const { tables, condition } = isShown(caller, filter);
  const first = edge(caller, filter.from, 'first');
  const last = edge(caller, filter.to, 'last');
  const ids = {
    from: first ? sql`coalesce(${first}, ${NOTHING})` : sql`0`,
    to: sql`min(${last ? sql`coalesce(${last}, 0)` : NOTHING}, ${before === null ? NOTHING : sql`${before - 1}`})`,
  };
  const named = commentCandidates(caller.workspace, search, ids, CANDIDATES_MAX);
  // Candidates are what the index named, whether or not they are still there: else a part would look like the last one.
  return rows(sql`
    WITH RECURSIVE ${scopeTables(caller, filter)}, ${tables}
    SELECT ${searchedPart} FROM (
      SELECT ${c.id} AS id, k.candidates AS candidates,
        (${c.archived} = 0 AND ${condition} AND ${holdsText(search)}) AS found
      FROM (
        SELECT n.id AS id, count(*) OVER () AS candidates,
          total(${b.bytes}) OVER (ORDER BY n.id DESC ROWS UNBOUNDED PRECEDING) - ${b.bytes} AS bytes_before
        FROM (${named}) n LEFT JOIN ${b} ON ${b.id} = n.id AND ${b.ws} = ${caller.workspace}
      ) k CROSS JOIN ${c} ON ${c.id} = k.id WHERE k.bytes_before < ${BYTES_MAX} LIMIT -1)`);
}
