import type { Caller } from '../../kernel/access/access.ts';
import type { PageRange } from '../../kernel/lists/pagination.ts';
import type { GuardedDatabase } from '../../kernel/sql/guarded-database.ts';
import {
  CANDIDATES_PER_PART_MAX,
  type CommentSearch,
  type CommentSearchPart,
  listFirstMatches,
  searchCommentsBefore,
} from './comment-search.queries.ts';
import {
  type CommentFilter,
  type DashboardCommentRow,
  listCommentsByIds,
} from './dashboard-comments.queries.ts';

/** Runs in parts, each in its own batch (docs/adr/0009). The total is exact. */
export async function searchComments(
  db: GuardedDatabase,
  caller: Caller,
  filter: CommentFilter,
  text: string,
  range: PageRange,
): Promise<[total: number, rows: DashboardCommentRow[]]> {
  const search: CommentSearch = { caller, filter, text };
  const [light, heavy, firstMatches] = await db.batch([
    ...searchCommentsBefore(search, null),
    listFirstMatches(search, range),
  ]);
  const found: number[] = [];
  for (let part = findCommentSearchPart(light, heavy); part; ) {
    found.push(...(JSON.parse(part.found) as number[]).sort((one, other) => other - one));
    part = isLastPart(part)
      ? null
      : findCommentSearchPart(...(await db.batch(searchCommentsBefore(search, part.reached))));
  }
  const { after, offset, limit } = range;
  const last = after === null ? Number.POSITIVE_INFINITY : Number(after[0]);
  const ids = found.filter((id) => id < last).slice(offset, offset + limit + 1);
  if (ids.join() === firstMatches.map(({ id }) => id).join()) return [found.length, firstMatches];
  const [rows] = await db.batch([listCommentsByIds(caller, ids)]);
  return [found.length, rows];
}

function findCommentSearchPart(
  [light]: readonly CommentSearchPart[],
  [heavy]: readonly CommentSearchPart[],
): CommentSearchPart | null {
  return [light, heavy].find((part) => part !== undefined && part.candidates > 0) ?? null;
}

function isLastPart({ candidates, taken, reached }: CommentSearchPart): boolean {
  return reached === null || (candidates < CANDIDATES_PER_PART_MAX && taken === candidates);
}
