import type { Key, Range } from './pagination.ts';

interface Walk {
  /** How many rows one batch may skip. */
  step: number;
  /** How many rows there are. */
  count: () => Promise<number>;
  /** The sort key of the row at the offset of a range. */
  find: (range: Range) => Promise<Key | null>;
}

/**
 * Walks to a deep offset in steps, a batch each, so that other requests of the cell come in between; answers the rest
 * of the way, behind the last step. Behind the last row there is no way to walk.
 */
export async function walkTo(range: Range, { step, count, find }: Walk): Promise<Range> {
  let { after, offset } = range;
  if (offset > step && offset >= (await count())) return nothing(range);
  while (offset > step) {
    const key = await find({ ...range, after, offset: step - 1, limit: 0 });
    // Rows went meanwhile.
    if (key === null) return nothing(range);
    [after, offset] = [key, offset - step];
  }
  return { ...range, after, offset };
}

/** The range of a page that holds nothing. */
function nothing(range: Range): Range {
  return { ...range, offset: 0, limit: -1 };
}
