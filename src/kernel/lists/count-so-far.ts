import * as z from 'zod';

/* What pages count only so far, because no counter tells it (docs/adr/0009). */

/** One more means more than that. To count all of it would take longer than to show the page. */
export const FOUND_COUNTED = 50;

/** How many tasks are looked at, where all of them count, and where the filter is asked of each. */
export const WALKED = { ifAllCount: FOUND_COUNTED + 1, ifSomeDo: 150 };

/** How many of what a text may find are looked at, the newest first; long texts are read whole. */
export const LOOKED_AT = { tasks: 60, longTasks: 20, comments: 80 };

export const countSoFar = z.object({
  count: z.int(),
  /** Whether there are no more. */
  isAll: z.boolean(),
});
export type CountSoFar = z.output<typeof countSoFar>;

/** @param isAll whether everything was looked at. */
export function toSoFar(found: number, isAll: boolean): CountSoFar {
  return { count: Math.min(found, FOUND_COUNTED), isAll: isAll && found <= FOUND_COUNTED };
}
