import * as z from 'zod';
import { buildPageSchema } from '../../kernel/lists/pagination.ts';
import {
  buildAsciiTextSchema,
  buildPlainTextSchema,
  integerId,
  jsonByteLimits,
  parameterGroups,
} from '../../kernel/operation/schema.ts';
import { customFieldTypes, optionColors } from '../../schema/cell/custom-fields.ts';
import { personId, personName } from '../summaries/summaries.schema.ts';

export const FIELDS_MAX = 50;
export const FIELDS_PER_PROJECT_MAX = 20;
export const OPTIONS_MAX = 50;
const PROJECTS_MAX = 2_000;
const NAME_CHARACTERS_MAX = 60;
export const TEXT_CHARACTERS_MAX = 500;
export const URL_CHARACTERS_MAX = 1_000;
export const NUMBER_MAX = 999_999_999_999_999;

const fieldId = buildAsciiTextSchema(20).meta({ description: "The value's key in `customFields`." });
const name = z
  .string()
  .trim()
  .min(1)
  .max(NAME_CHARACTERS_MAX)
  .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters');
const nameOutput = buildPlainTextSchema(NAME_CHARACTERS_MAX);
const color = z.enum(optionColors);
const option = z.object({ id: integerId, name: nameOutput, color });
const type = z.enum(customFieldTypes);
const fieldShape = { id: fieldId, name: nameOutput, type, options: z.array(option).max(OPTIONS_MAX) };

const customField = z
  .object({
    ...fieldShape,
    projectIds: z
      .array(integerId)
      .max(PROJECTS_MAX)
      .meta({ description: 'The projects you can see that use this field.' }),
  })
  .meta({
    id: 'CustomField',
    example: {
      id: 'cf_12',
      name: 'Effort',
      type: 'select',
      options: [
        { id: 1, name: 'Small', color: 'green' },
        { id: 2, name: 'Large', color: 'red' },
      ],
      projectIds: [7],
    },
  });
export const customFieldPage = buildPageSchema(customField).meta({ id: 'CustomFieldPage' });

const VALUE_TYPE_RULE = 'must be a string, a number, a boolean, a list of option ids, or null';
const sentValue = z.union(
  [z.string(), z.number(), z.boolean(), z.array(z.union([z.number(), z.string()])), z.null()],
  VALUE_TYPE_RULE,
);
export const customFieldsInput = z.record(z.string().max(NAME_CHARACTERS_MAX), sentValue).meta({
  description:
    "Values by custom field id. The task's project must use these fields. Send null to clear a value.",
});
export type CustomFieldsInput = z.output<typeof customFieldsInput>;

const shownValue = z.union([
  buildPlainTextSchema(URL_CHARACTERS_MAX),
  z.number(),
  z.boolean(),
  z.array(integerId).max(OPTIONS_MAX),
  z.null(),
]);
export const customFieldsOutput = z
  .record(z.string(), shownValue)
  .meta({ description: "The values of the project's custom fields, by id. Null if a field has no value." });
jsonByteLimits.add(customFieldsOutput, { bytes: FIELDS_PER_PROJECT_MAX * (3 * URL_CHARACTERS_MAX + 30) });

export const customFieldFilter = z.record(z.string(), z.string().max(100)).optional().meta({
  description:
    'Only tasks with these values in custom fields, such as `cf_12=3`. A value is an option id, a user id, `me`, `true` or `false`.',
});
parameterGroups.add(customFieldFilter, { pattern: /^cf_[1-9]\d{0,14}$/, example: 'cf_<id>' });

const newOption = z.strictObject({ id: integerId.optional(), name, color: color.default('gray') });
const optionList = z
  .array(newOption)
  .max(OPTIONS_MAX)
  .refine(
    (options) => new Set(options.map((each) => each.name.toLowerCase())).size === options.length,
    'must have different names',
  );

export const customFieldCreateInput = z.strictObject({
  name,
  type,
  options: optionList.default([]),
  projectId: integerId.nullish().meta({ description: 'A project to add the new field to.' }),
});
export const customFieldUpdateInput = z.strictObject({
  id: integerId,
  name: name.optional(),
  options: optionList.optional(),
});
export const customFieldIdInput = z.strictObject({ id: integerId });
export const customFieldCreated = z.object({ id: integerId });

export const projectFieldsInput = z.strictObject({
  id: integerId,
  fieldIds: z.array(integerId).max(FIELDS_MAX),
});

const settingsShape = { ...fieldShape, number: integerId };
export const customFieldSettings = z.object({
  fields: z.array(z.object({ ...settingsShape, projects: z.int() })),
  deleted: z.array(z.object({ number: integerId, name: nameOutput, deletedAt: z.string() })),
  mayChange: z.boolean(),
});
export const projectFields = z.object({
  fields: z.array(z.object({ ...settingsShape, isOn: z.boolean() })),
  mayChange: z.boolean(),
});

export const fieldChoices = z.object({ data: z.array(z.object(fieldShape)) });
export type FieldChoice = z.output<typeof fieldChoices>['data'][number];

export const taskFieldValues = z.object({
  data: z.array(
    z.object({
      ...fieldShape,
      value: shownValue,
      person: z.object({ id: personId, name: personName }).nullable(),
      text: z.string().nullable(),
    }),
  ),
});
export type TaskFieldValue = z.output<typeof taskFieldValues>['data'][number];
