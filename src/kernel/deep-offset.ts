import type { Key, Range } from './pagination.ts';

/**
 * Walks to a deep offset in steps, a batch each, so that other requests of the cell come in between; answers the rest
 * of the way, behind the last step.
 * @param step how many rows one batch may skip.
 * @param find the sort key of the row at the offset of a range.
 */
export async function walkTo(
  range: Range,
  step: number,
  find: (range: Range) => Promise<Key | null>,
): Promise<Range> {
  let { after, offset } = range;
  while (offset > step) {
    const key = await find({ ...range, after, offset: step - 1, limit: 0 });
    // Behind the end: a page that holds nothing, without walking once more.
    if (key === null) return { ...range, after, offset: 0, limit: -1 };
    [after, offset] = [key, offset - step];
  }
  return { ...range, after, offset };
}
