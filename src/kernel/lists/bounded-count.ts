import * as z from 'zod';

/** Pages show larger counts as "50+", because counting everything would take too long (docs/adr/0009). */
export const BOUNDED_COUNT_MAX = 50;

/**
 * The maximum number of tasks to read for a bounded count. A filtered count reads more, because only some of the tasks
 * match the filter.
 */
export const TASKS_READ_MAX = { ifUnfiltered: BOUNDED_COUNT_MAX + 1, ifFiltered: 150 };

/**
 * The maximum number of search candidates to read, newest first. The limit is lower for tasks with long text, because
 * their text is read completely.
 */
export const CANDIDATES_READ_MAX = { tasks: 60, longTasks: 20, comments: 80 };

export const boundedCount = z.object({
  count: z.int(),
  isAll: z.boolean(),
});
export type BoundedCount = z.output<typeof boundedCount>;

export function toBoundedCount(found: number, isAll: boolean): BoundedCount {
  return { count: Math.min(found, BOUNDED_COUNT_MAX), isAll: isAll && found <= BOUNDED_COUNT_MAX };
}
