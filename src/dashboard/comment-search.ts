import type { Caller } from '../kernel/access.ts';
import type { GuardedDatabase } from '../kernel/guarded-database.ts';
import type { Range } from '../kernel/pagination.ts';
import { CANDIDATES_MAX, type SearchedPart, searchPart } from './comment-search.queries.ts';
import { type CommentFilter, type DashboardCommentRow, listFoundComments } from './comments.queries.ts';

/** One page of what a search finds, with its exact total. It goes in parts, a batch each (docs/adr/0023). */
export async function searchComments(
  db: GuardedDatabase,
  caller: Caller,
  filter: CommentFilter,
  search: string,
  { after, offset, limit }: Range,
): Promise<[total: number, rows: DashboardCommentRow[]]> {
  const found: number[] = [];
  for (let before: number | null = null; ; ) {
    const [[part]]: readonly [SearchedPart[]] = await db.batch([searchPart(caller, filter, search, before)]);
    if (!part) break;
    found.push(...(JSON.parse(part.found) as number[]).sort((one, other) => other - one));
    if (part.reached === null) break;
    if (part.candidates < CANDIDATES_MAX && part.taken === part.candidates) break;
    before = part.reached;
  }
  const last = after === null ? Number.POSITIVE_INFINITY : Number(after[0]);
  const ids = found.filter((id) => id < last).slice(offset, offset + limit + 1);
  if (ids.length === 0) return [found.length, []];
  const [rows] = await db.batch([listFoundComments(caller, ids)]);
  return [found.length, rows];
}
