import * as z from 'zod';
import { integerId } from '../../kernel/operation/schema.ts';
import { ASSIGNEES_MAX, taskFields } from '../fields.ts';

export const QUICK_ADD_CHARACTERS_MAX = 700;

export const quickAddInput = z.strictObject({
  text: z.string().max(QUICK_ADD_CHARACTERS_MAX),
  /** The project to use if the text doesn't name one. */
  projectId: integerId.optional(),
});

/** A value is null if the text doesn't contain it, or if it can't be used for a reason given in `problems`. */
export const quickAddTask = z.object({
  name: z.string(),
  /** Empty if any of the names can't be used. */
  assignees: z.array(z.object({ id: z.string(), name: z.string() })).max(ASSIGNEES_MAX),
  project: z.object({ id: integerId, name: z.string() }).nullable(),
  deadline: taskFields.deadline.output,
  priority: taskFields.priority.output.nullable(),
  problems: z.array(z.string()),
});
