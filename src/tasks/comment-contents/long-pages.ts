import type { Caller } from '../../kernel/access/access.ts';
import type { Database } from '../../kernel/sql/database.ts';
import { inParts } from '../../kernel/sql/in-parts.ts';
import { readContents } from './long-pages.queries.ts';

/** A batch reads at most this much text, so that a page of long comments doesn't block the cell. */
const BYTES_A_BATCH_MAX = 400_000;

/**
 * How long a comment may be to be read with its page. Longer ones are read afterwards.
 * @param rows at most this many are on the page.
 */
export function bytesEach(rows: number): number {
  // A bulk request in which everything failed shows no task.
  return Math.floor(BYTES_A_BATCH_MAX / Math.max(1, rows));
}

/** A comment on a page. Its content is null if it is read separately. */
export interface PagedContent {
  id: number;
  bytes: number;
  content: string | null;
}

/**
 * Adds long contents to a page, in as many batches as their bytes require, usually none. Omits comments that were deleted
 * since.
 */
export async function withContents<Row extends PagedContent>(
  db: Pick<Database, 'batch'>,
  caller: Caller,
  page: readonly Row[],
): Promise<(Row & { content: string })[]> {
  const contents = new Map<number, string>();
  for (const ids of inBatches(page.filter(({ content }) => content === null))) {
    const [found] = await db.batch([readContents(caller, ids)]);
    for (const { id, content } of found) contents.set(id, content);
  }
  return page.flatMap((row) => {
    const content = row.content ?? contents.get(row.id);
    return content === undefined ? [] : [{ ...row, content }];
  });
}

/** Ids of long comments, or of what shows them, in batches that block the cell only briefly. */
export function inBatches(long: readonly { id: number; bytes: number }[]): number[][] {
  return inParts(long, ({ bytes }) => bytes, BYTES_A_BATCH_MAX).map((part) => part.map(({ id }) => id));
}
