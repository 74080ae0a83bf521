import type * as z from 'zod';
import { integerId } from '../../kernel/operation/schema.ts';
import { descriptionFormatInput } from '../../kernel/rich-text/description-format.ts';
import { taskCreateInput } from '../model/tasks.schema.ts';

const { name: newName, status: newStatus, priority: newPriority } = taskCreateInput.shape;
/** With `templateId`, the template provides everything that the request leaves out. */
export const taskFromTemplateInput = taskCreateInput.extend({
  name: newName
    .optional()
    .meta({ description: 'Required unless `templateId` is sent.', example: 'Draft the launch page' }),
  status: newStatus.unwrap().optional(),
  priority: newPriority.unwrap().optional(),
  templateId: integerId.optional().meta({
    description: "Creates the task and its subtasks from a template. Other fields override the template's.",
  }),
});
export type TaskFromTemplateInput = z.infer<typeof taskFromTemplateInput>;

export const newTaskInput = taskFromTemplateInput
  .extend({ descriptionFormat: descriptionFormatInput })
  .superRefine(
    ({ name, templateId }, context) => {
      if (name === undefined && templateId === undefined)
        context.addIssue({ code: 'invalid_type', expected: 'string', path: ['name'], input: undefined });
    },
    // This check runs even if other fields are invalid, so that the error also names missing fields.
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );
