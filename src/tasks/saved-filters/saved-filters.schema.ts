import * as z from 'zod';
import { integerId } from '../../kernel/operation/schema.ts';
import { taskFilter, taskFilterInput } from './task-filter.ts';

/** The maximum number of filters per person, and of shared filters per workspace. */
export const FILTERS_MAX = 100;
const NAME_CHARACTERS_MAX = 80;

const name = z
  .string()
  .trim()
  .min(1)
  .max(NAME_CHARACTERS_MAX)
  .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters');

export const saveFilterInput = taskFilterInput.extend({ name, isShared: z.boolean().default(false) });
export const renameFilterInput = z.strictObject({
  id: integerId,
  name: name.optional(),
  isShared: z.boolean().optional(),
});
export const replaceFilterInput = taskFilterInput.extend({ id: integerId });

export const savedFilter = z.object({
  id: integerId,
  name: z.string(),
  isShared: z.boolean(),
  /** The person who created the filter, or null if the caller did. */
  maker: z.object({ name: z.string() }).nullable(),
  mayChange: z.boolean(),
  filter: taskFilter,
});
export type SavedFilter = z.output<typeof savedFilter>;
