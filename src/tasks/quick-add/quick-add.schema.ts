import * as z from 'zod';
import { integerId } from '../../kernel/operation/schema.ts';
import { taskFields } from '../fields.ts';

/** A name, and facts behind it. */
export const QUICK_TEXT_MAX = 700;

export const understandInput = z.strictObject({
  text: z.string().max(QUICK_TEXT_MAX),
  /** The project of the field beside the text; it counts where the text names none. */
  projectId: integerId.optional(),
});

/** Null is what the text does not say, or what is a problem. */
export const understoodTask = z.object({
  name: z.string(),
  assignee: z.object({ id: z.string(), name: z.string() }).nullable(),
  project: z.object({ id: integerId, name: z.string() }).nullable(),
  deadline: taskFields.deadline.output,
  priority: taskFields.priority.output.nullable(),
  /** In words for the person who typed it. */
  problems: z.array(z.string()),
});
