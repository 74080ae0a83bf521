import type { Range, SortKey } from './pagination.ts';

interface SkipOptions {
  step: number;
  count: () => Promise<number>;
  find: (range: Range) => Promise<SortKey | null>;
}

/**
 * Skips rows in several batches, so that other requests can run in between. Returns an empty range if the offset is
 * beyond the last row.
 */
export async function skipToOffset(range: Range, { step, count, find }: SkipOptions): Promise<Range> {
  let { after, offset } = range;
  if (offset > step && offset >= (await count())) return toEmptyRange(range);
  while (offset > step) {
    const key = await find({ ...range, after, offset: step - 1, limit: 0 });
    if (key === null) return toEmptyRange(range);
    [after, offset] = [key, offset - step];
  }
  return { ...range, after, offset };
}

function toEmptyRange(range: Range): Range {
  return { ...range, offset: 0, limit: -1 };
}
