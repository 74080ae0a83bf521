import type { PageRange, SortKey } from './pagination.ts';

interface SkipOptions {
  step: number;
  count: () => Promise<number>;
  find: (range: PageRange) => Promise<SortKey | null>;
}

/**
 * Skips up to `step` rows per batch, so that other requests can run in between, until the rest of the offset is at most
 * `step`. Returns an empty range if it runs out of rows.
 */
export async function skipToOffset(range: PageRange, { step, count, find }: SkipOptions): Promise<PageRange> {
  let { after, offset } = range;
  if (offset > step && offset >= (await count())) return toEmptyRange(range);
  while (offset > step) {
    const key = await find({ ...range, after, offset: step - 1, limit: 0 });
    if (key === null) return toEmptyRange(range);
    [after, offset] = [key, offset - step];
  }
  return { ...range, after, offset };
}

function toEmptyRange(range: PageRange): PageRange {
  return { ...range, offset: 0, limit: -1 };
}
