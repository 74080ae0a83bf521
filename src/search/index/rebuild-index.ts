import type { Database, Statement } from '../../kernel/sql/database.ts';
import { splitBySize } from '../../kernel/sql/split-by-size.ts';

const ROWS_PER_PAGE = 200;
const STRAY_ROWS_MAX = 1_000_000;

export interface SearchIndex<T extends { id: number }> {
  /** The maximum amount of text per statement, so that its tokens also stay within D1's limit of 2 MB. */
  readonly charactersMax: number;
  list(after: number, limit: number): Statement<T[]>;
  charactersOf(text: T): number;
  repair(text: T): Statement<void> | null;
  reindex(texts: readonly T[]): Statement<void>[];
  deleteStray(limit: number): Statement<void>[];
  empty(): Statement<void>;
}

/** Safe to interrupt and repeat, because each batch indexes its texts completely. */
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
      const repaired = index.repair(text);
      if (repaired) await cell.batch([repaired]);
    }
    for (const part of splitBySize(page, index.charactersOf, index.charactersMax))
      await cell.batch(index.reindex(part));
    texts += page.length;
    const last = page.at(-1);
    if (!last || page.length < ROWS_PER_PAGE) break;
    after = last.id;
  }
  await cell.batch(index.deleteStray(STRAY_ROWS_MAX));
  return texts;
}
