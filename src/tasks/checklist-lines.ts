import * as z from 'zod';

export const CHECKLIST_LINES_MAX = 100;
export const LINE_CHARACTERS_MAX = 500;

export const lineText = z
  .string()
  .min(1)
  .max(LINE_CHARACTERS_MAX)
  .refine((text) => text.trim() !== '', { message: 'must not be blank' })
  .meta({ example: 'Choose the hero image' });

export const newLines = z
  .array(z.strictObject({ text: lineText, isDone: z.boolean().default(false) }))
  .max(CHECKLIST_LINES_MAX);
export type NewLines = z.output<typeof newLines>;
