import { invalidRequestError } from '../../kernel/errors/errors.ts';
import type { PageRange } from '../../kernel/lists/pagination.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import type { GuardedDatabase } from '../../kernel/sql/guarded-database.ts';
import { getNextPart, type PartProgress, type SearchPart } from './search.queries.ts';

/** Up to this offset, the results of several batches are merged in memory. */
const MERGED_OFFSET_MAX = 10_000;

export function hasMoreParts(parts: readonly SearchPart[], tallies: readonly PartProgress[]): boolean {
  return parts.some((part, index) => {
    const progress = tallies[index];
    return progress !== undefined && getNextPart(part, progress) !== null;
  });
}

export function sumTotals(tallies: readonly { total: number }[]): number {
  return tallies.reduce((sum, { total }) => sum + total, 0);
}

/** Sends one batch per part, so that the cell can serve other requests in between. */
export async function searchInParts<T extends PartProgress, Row = never>(
  db: GuardedDatabase,
  parts: readonly SearchPart[],
  ask: (part: SearchPart) => { tally: Statement<T[]>; rows?: Statement<Row[]> },
  take: (tally: T, rows: readonly Row[]) => void,
): Promise<void> {
  for (const first of parts) {
    for (let part: SearchPart | null = first; part !== null; ) {
      const { tally, rows } = ask(part);
      const [[progress], found = []] = await db.batch(rows ? [tally, rows] : [tally]);
      if (!progress) return;
      take(progress, found);
      part = getNextPart(part, progress);
    }
  }
}

interface SearchPageOptions<Row> {
  parts: readonly SearchPart[];
  range: PageRange;
  tally: (part: SearchPart) => Statement<(PartProgress & { total: number })[]>;
  rows: (part: SearchPart, range: PageRange) => Statement<Row[]>;
  compare: (one: Row, other: Row) => number;
}

export async function readSearchPage<Row extends { id: number }>(
  db: GuardedDatabase,
  { parts, range, tally, rows, compare }: SearchPageOptions<Row>,
): Promise<{ total: number; ids: number[] }> {
  if (range.offset > MERGED_OFFSET_MAX) {
    throw invalidRequestError(
      ({ takes }) =>
        `offset must be at most ${MERGED_OFFSET_MAX} for a search with this many matches; got ${range.offset}. ${takes('offset') ? 'Follow the Link header of the previous page, or use' : 'Use'} a longer search text.`,
      'offset',
    );
  }
  const end = range.offset + range.limit;
  let [total, first]: [number, Row[]] = [0, []];
  await searchInParts(
    db,
    parts,
    (part) => ({ tally: tally(part), rows: rows(part, { ...range, offset: 0, limit: end }) }),
    (progress, found) => {
      total += progress.total;
      first = [...first, ...found].sort(compare).slice(0, end + 1);
    },
  );
  return { total, ids: first.slice(range.offset).map(({ id }) => id) };
}
