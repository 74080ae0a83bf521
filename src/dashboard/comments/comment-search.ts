import type { Caller } from '../../kernel/access/access.ts';
import type { Range } from '../../kernel/lists/pagination.ts';
import type { GuardedDatabase } from '../../kernel/sql/guarded-database.ts';
import {
  CANDIDATES_PER_PART_MAX,
  type CommentSearch,
  listFirstMatches,
  type SearchedPart,
  searchCommentsBefore,
} from './comment-search.queries.ts';
import {
  type CommentFilter,
  type DashboardCommentRow,
  listCommentsByIds,
} from './dashboard-comments.queries.ts';

/** The total is exact. The search runs in parts, each in its own batch (docs/adr/0009). */
export async function searchComments(
  db: GuardedDatabase,
  caller: Caller,
  filter: CommentFilter,
  text: string,
  range: Range,
): Promise<[total: number, rows: DashboardCommentRow[]]> {
  const search: CommentSearch = { caller, filter, text };
  const [light, heavy, firstMatches] = await db.batch([
    ...searchCommentsBefore(search, null),
    listFirstMatches(search, range),
  ]);
  const found: number[] = [];
  for (let part = findSearchedPart(light, heavy); part; ) {
    found.push(...(JSON.parse(part.found) as number[]).sort((one, other) => other - one));
    part = isLastPart(part)
      ? null
      : findSearchedPart(...(await db.batch(searchCommentsBefore(search, part.reached))));
  }
  const { after, offset, limit } = range;
  const last = after === null ? Number.POSITIVE_INFINITY : Number(after[0]);
  const ids = found.filter((id) => id < last).slice(offset, offset + limit + 1);
  if (ids.join() === firstMatches.map(({ id }) => id).join()) return [found.length, firstMatches];
  const [rows] = await db.batch([listCommentsByIds(caller, ids)]);
  return [found.length, rows];
}

function findSearchedPart(
  [light]: readonly SearchedPart[],
  [heavy]: readonly SearchedPart[],
): SearchedPart | null {
  return [light, heavy].find((part) => part !== undefined && part.candidates > 0) ?? null;
}

function isLastPart({ candidates, taken, reached }: SearchedPart): boolean {
  return reached === null || (candidates < CANDIDATES_PER_PART_MAX && taken === candidates);
}
