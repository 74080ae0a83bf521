import type { Caller } from '../../kernel/access/access.ts';
import type { Database } from '../../kernel/sql/database.ts';
import { inParts } from '../../kernel/sql/in-parts.ts';
import { listContents } from './long-contents.queries.ts';

/** A batch reads at most this much text, so that a page of long comments doesn't block the cell. */
const MAX_BYTES_PER_BATCH = 400_000;

/**
 * How long a comment may be to be read with its page. Longer ones are read afterwards.
 * @param rows at most this many are on the page.
 */
export function getInlineBytesMax(rows: number): number {
  // A bulk request in which everything failed shows no task.
  return Math.floor(MAX_BYTES_PER_BATCH / Math.max(1, rows));
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
export async function addLongContents<Row extends PagedContent>(
  db: Pick<Database, 'batch'>,
  caller: Caller,
  page: readonly Row[],
): Promise<(Row & { content: string })[]> {
  const contents = new Map<number, string>();
  for (const ids of splitIntoBatches(page.filter(({ content }) => content === null))) {
    const [found] = await db.batch([listContents(caller, ids)]);
    for (const { id, content } of found) contents.set(id, content);
  }
  return page.flatMap((row) => {
    const content = row.content ?? contents.get(row.id);
    return content === undefined ? [] : [{ ...row, content }];
  });
}

/** Ids of long comments, or of what shows them, in batches that block the cell only briefly. */
export function splitIntoBatches(long: readonly { id: number; bytes: number }[]): number[][] {
  return inParts(long, ({ bytes }) => bytes, MAX_BYTES_PER_BATCH).map((part) => part.map(({ id }) => id));
}
