import * as z from 'zod';
import { integerId } from '../../kernel/operation/schema.ts';
import { ASSIGNEES_MAX, tagName, taskFields } from '../fields.ts';
import { ruleInput } from '../recurrence/recurrence.schema.ts';

export const QUICK_ADD_CHARACTERS_MAX = 700;

export const quickAddInput = z.strictObject({
  text: z.string().max(QUICK_ADD_CHARACTERS_MAX),
  /** The project to use if the text names neither a project nor a parent task. */
  projectId: integerId.optional(),
});

const reference = z.object({ id: integerId, name: z.string() });

/** A value is null or empty if the text doesn't contain it, or if it can't be used for a reason in `problems`. */
export const quickAddTask = z.object({
  name: z.string(),
  /** Empty if any of the names can't be used. */
  assignees: z.array(z.object({ id: z.string(), name: z.string() })).max(ASSIGNEES_MAX),
  project: reference.nullable(),
  parent: reference.nullable(),
  /** If the task repeats and the text contains no date, this is the date of its first occurrence. */
  deadline: taskFields.deadline.output,
  dueTime: z.string().nullable(),
  recurrence: ruleInput.nullable(),
  priority: taskFields.priority.output.nullable(),
  /** `isNew` is true if the tag wasn't found on unarchived tasks that the caller can see. */
  tags: z.array(z.object({ name: tagName, isNew: z.boolean() })),
  problems: z.array(z.string()),
  notes: z.array(z.string()),
});
