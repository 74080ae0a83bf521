import type { Caller } from '../../kernel/access/access.ts';
import type { BatchDatabase } from '../../kernel/sql/database.ts';
import { splitBySize } from '../../kernel/sql/split-by-size.ts';
import { listContents } from './long-contents.queries.ts';

const BYTES_PER_BATCH_MAX = 400_000;

/**
 * Returns the maximum size in bytes of a comment that is read together with its page. Longer comments are read later.
 */
export function getInlineBytesMax(rows: number): number {
  return Math.floor(BYTES_PER_BATCH_MAX / Math.max(1, rows));
}

export interface CommentContentRow {
  id: number;
  bytes: number;
  content: string | null;
}

/** Sends extra batches only if there are long comments. Omits comments that were deleted after the page was read. */
export async function readLongContents<Row extends CommentContentRow>(
  db: BatchDatabase,
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

export function splitIntoBatches(long: readonly { id: number; bytes: number }[]): number[][] {
  return splitBySize(long, ({ bytes }) => bytes, BYTES_PER_BATCH_MAX).map((part) => part.map(({ id }) => id));
}
