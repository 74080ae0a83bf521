import type { Database, Statement } from '../../kernel/sql/database.ts';
import { inParts } from '../../kernel/sql/in-parts.ts';

const ROWS_PER_PAGE = 200;
const STRAY_ROWS_MAX = 1_000_000;

/** An index and its source texts. */
export interface SearchIndex<T extends { id: number }> {
  /** Per statement. With its tokens it stays below D1's 2 MB. */
  readonly charactersMax: number;
  /** The next texts of the cell, by id. */
  list(after: number, limit: number): Statement<T[]>;
  charactersOf(text: T): number;
  /** Repairs a text before it is indexed. */
  mend(text: T): Statement<void> | null;
  reindex(texts: readonly T[]): Statement<void>[];
  /** Deletes rows without a text, at most `limit`. */
  deleteStray(limit: number): Statement<void>[];
  empty(): Statement<void>;
}

/**
 * Builds the search index of a cell in pages while requests continue, and returns the number of texts. Safe to stop and
 * repeat: the index is valid after every batch.
 * @param fromScratch empties it first. Until it finishes, searches miss texts.
 */
export async function rebuildIndex<T extends { id: number }>(
  cell: Database,
  index: SearchIndex<T>,
  fromScratch: boolean,
): Promise<number> {
  if (fromScratch) await cell.batch([index.empty()]);
  let texts = 0;
  for (let after = 0; ; ) {
    const [page] = await cell.batch([index.list(after, ROWS_PER_PAGE)]);
    for (const text of page) {
      const mended = index.mend(text);
      if (mended) await cell.batch([mended]);
    }
    for (const part of inParts(page, index.charactersOf, index.charactersMax))
      await cell.batch(index.reindex(part));
    texts += page.length;
    const last = page.at(-1);
    if (!last || page.length < ROWS_PER_PAGE) break;
    after = last.id;
  }
  await cell.batch(index.deleteStray(STRAY_ROWS_MAX));
  return texts;
}
