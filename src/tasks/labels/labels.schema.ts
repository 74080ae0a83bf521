import * as z from 'zod';
import { buildPlainTextSchema } from '../../kernel/operation/schema.ts';
import { tagName, taskFields } from '../fields.ts';
import { colorText } from '../summaries/summaries.schema.ts';

/** Each color is readable on light and dark pages. */
export const labelColors = {
  '#64748b': 'Gray',
  '#dc2626': 'Red',
  '#ea580c': 'Orange',
  '#ca8a04': 'Yellow',
  '#16a34a': 'Green',
  '#0d9488': 'Teal',
  '#0284c7': 'Sky',
  '#2563eb': 'Blue',
  '#7c3aed': 'Violet',
  '#db2777': 'Pink',
} as const;
const colors = Object.keys(labelColors) as [keyof typeof labelColors];

const DESCRIPTION_CHARACTERS_MAX = 500;

const name = taskFields.tags.output.element;

export const label = z
  .object({
    name: name.meta({ description: "The tag's name. Names that differ only in case mean the same tag." }),
    color: colorText.nullable().meta({ description: 'Null until someone chooses a color.' }),
    description: buildPlainTextSchema(DESCRIPTION_CHARACTERS_MAX).nullable(),
    taskCount: z
      .int()
      .min(0)
      .meta({ description: 'The number of unarchived tasks with this tag that you can see.' }),
  })
  .meta({
    id: 'Label',
    example: { name: 'web', color: '#2563eb', description: 'Pages and their content', taskCount: 12 },
  });

export const labelUpdateInput = z.strictObject({
  label: tagName,
  color: z.enum(colors).nullable().optional(),
  description: z
    .string()
    .trim()
    .max(DESCRIPTION_CHARACTERS_MAX)
    .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters')
    .nullable()
    .optional(),
});

export const labelChoices = z.object({
  names: z.array(z.string()),
  colors: z.array(z.object({ key: z.string(), color: colorText })),
});
