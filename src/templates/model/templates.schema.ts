import * as z from 'zod';
import { buildPageSchema, pageInput } from '../../kernel/lists/pagination.ts';
import { buildPlainTextSchema, civilDate, integerId } from '../../kernel/operation/schema.ts';
import { checklistItemText } from '../../tasks/checklist-items.ts';
import { taskCreateInput, taskPriorities } from '../../tasks/model/tasks.schema.ts';
import { relationTypes } from '../../tasks/relations/relations.schema.ts';

export const TEMPLATES_MAX = 100;
export const NAME_CHARACTERS_MAX = 500;
export const DESCRIPTION_CHARACTERS_MAX = 2_000;
const DAY_OFFSET_MAX = 3_650;
const CHECKLIST_ITEMS_MAX = 100;

export const templateKinds = ['task', 'project'] as const;
export const templateKind = z.enum(templateKinds).meta({ example: 'task' });

const templateName = buildPlainTextSchema(NAME_CHARACTERS_MAX);

export const template = z
  .object({
    id: integerId,
    kind: templateKind,
    name: templateName,
    description: buildPlainTextSchema(DESCRIPTION_CHARACTERS_MAX).nullable(),
    projectId: integerId
      .nullable()
      .meta({ description: 'The project that can use the template. Null if all projects can.' }),
  })
  .meta({
    id: 'Template',
    example: { id: 3, kind: 'task', name: 'Publish a blog post', description: null, projectId: null },
  });
export const templatePage = buildPageSchema(template).meta({ id: 'TemplatePage' });

export const templateListInput = z.strictObject({
  kind: templateKind.optional().meta({ description: 'Only templates of this kind.' }),
  fields: z.array(z.string()).optional(),
  ...pageInput,
});

const day = z.int().min(-DAY_OFFSET_MAX).max(DAY_OFFSET_MAX);
const { name, description, tags, customEstimatedHours } = taskCreateInput.shape;
const lines = z.array(checklistItemText).max(CHECKLIST_ITEMS_MAX);

const templateTask = z.object({
  id: integerId,
  parentId: integerId.nullable(),
  name: z.string(),
  description: z.string().nullable(),
  priority: z.enum(taskPriorities),
  tags: z.array(z.string()),
  startDay: z.int().nullable(),
  dueDay: z.int().nullable(),
  customEstimatedHours: z.string().nullable(),
  checklist: z.array(z.string()),
  fields: z.array(z.object({ name: z.string(), text: z.string().nullable() })),
  relations: z.array(z.object({ type: z.enum(relationTypes), name: z.string() })),
});
export const templateDetail = template.extend({
  tasks: z.array(templateTask),
  mayChange: z.boolean(),
});
export type TemplateDetail = z.output<typeof templateDetail>;

const changedName = z
  .string()
  .min(1)
  .max(NAME_CHARACTERS_MAX)
  .refine((text) => text.trim() !== '', { message: 'must not be blank' });

export const templateIdInput = z.strictObject({ id: integerId });
export const templateCreated = z.object({ id: integerId });
export const templateUpdateInput = z.strictObject({
  id: integerId,
  name: changedName.optional(),
  description: z.string().max(DESCRIPTION_CHARACTERS_MAX).nullable().optional(),
  projectId: integerId.nullable().optional(),
});
export const templateTaskInput = z.strictObject({ id: integerId, itemId: integerId });
export const newTemplateTaskInput = z.strictObject({
  id: integerId,
  name,
  parentId: integerId.nullish(),
});
export const templateTaskUpdateInput = z.strictObject({
  ...templateTaskInput.shape,
  name: name.optional(),
  description,
  priority: z.enum(taskPriorities).optional(),
  tags,
  startDay: day.nullish(),
  dueDay: day.nullish(),
  customEstimatedHours,
  checklist: lines.optional(),
});
export const newProjectInput = z.strictObject({
  templateId: integerId,
  name: z
    .string()
    .min(1)
    .max(200)
    .refine((text) => text.trim() !== '', { message: 'must not be blank' }),
  description: z.string().max(10_000).nullable().default(null),
  startDate: civilDate
    .nullish()
    .meta({ description: 'The day that all dates in the template are relative to. Defaults to today.' }),
});
