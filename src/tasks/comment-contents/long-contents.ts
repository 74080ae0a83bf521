import type { Caller } from '../../kernel/access/access.ts';
import type { Database } from '../../kernel/sql/database.ts';
import { splitBySize } from '../../kernel/sql/split-by-size.ts';
import { listContents } from './long-contents.queries.ts';

/** Keeps a page of long comments from blocking the cell. */
const BYTES_PER_BATCH_MAX = 400_000;

/** Longer comments are read after their page. `rows` is the maximum number of rows in the page. */
export function getInlineBytesMax(rows: number): number {
  // A bulk request has no rows if all of its items were rejected.
  return Math.floor(BYTES_PER_BATCH_MAX / Math.max(1, rows));
}

/** `content` is null if it is read separately. */
export interface PagedContent {
  id: number;
  bytes: number;
  content: string | null;
}

/** Sends an extra batch only if there are long comments. Omits comments deleted in the meantime. */
export async function readLongContents<Row extends PagedContent>(
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

/** Forms batches that block the cell only briefly. */
export function splitIntoBatches(long: readonly { id: number; bytes: number }[]): number[][] {
  return splitBySize(long, ({ bytes }) => bytes, BYTES_PER_BATCH_MAX).map((part) => part.map(({ id }) => id));
}
