import * as z from 'zod';

/*
 * Bounded counts for pages, where no counter has the number (docs/adr/0009).
 */

/** Larger counts are shown as "50+". Counting everything would take longer than rendering the page. */
export const FOUND_COUNTED = 50;

/** How many tasks are read if all of them count, and if each must be checked against the filter. */
export const WALKED = { ifAllCount: FOUND_COUNTED + 1, ifSomeDo: 150 };

/** How many search candidates are read, newest first. Long texts are read whole. */
export const LOOKED_AT = { tasks: 60, longTasks: 20, comments: 80 };

export const countSoFar = z.object({
  count: z.int(),
  isAll: z.boolean(),
});
export type CountSoFar = z.output<typeof countSoFar>;

/** @param isAll whether the count is complete. */
export function toSoFar(found: number, isAll: boolean): CountSoFar {
  return { count: Math.min(found, FOUND_COUNTED), isAll: isAll && found <= FOUND_COUNTED };
}
