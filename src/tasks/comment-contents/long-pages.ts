import type { Caller } from '../../kernel/access/access.ts';
import type { Database } from '../../kernel/sql/database.ts';
import { inParts } from '../../kernel/sql/in-parts.ts';
import { readContents } from './long-pages.queries.ts';

/** A batch reads this much text of comments at most, so that a page of long ones does not hold the cell for long. */
const BYTES_A_BATCH_MAX = 400_000;

/** Bytes of a comment that a page brings along; longer ones are read after it. @param rows of the page at most */
export function bytesEach(rows: number): number {
  // A bulk of which nothing could be done shows no task.
  return Math.floor(BYTES_A_BATCH_MAX / Math.max(1, rows));
}

/** A comment on a page; its content is null where it is too long to come along. */
export interface PagedContent {
  id: number;
  bytes: number;
  content: string | null;
}

/**
 * Completes a page with its long contents, in as many batches as their bytes ask for; usually none. A comment that was
 * deleted since is left out.
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

/** Ids of long comments, or of what shows them, in batches that hold the cell for a moment each. */
export function inBatches(long: readonly { id: number; bytes: number }[]): number[][] {
  return inParts(long, ({ bytes }) => bytes, BYTES_A_BATCH_MAX).map((part) => part.map(({ id }) => id));
}
