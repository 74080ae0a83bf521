import * as z from 'zod';

export const CHECKLIST_ITEMS_MAX = 100;
export const CHECKLIST_ITEM_CHARACTERS_MAX = 500;

export const checklistItemText = z
  .string()
  .min(1)
  .max(CHECKLIST_ITEM_CHARACTERS_MAX)
  .refine((text) => text.trim() !== '', { message: 'must not be blank' })
  .meta({ example: 'Choose the hero image' });

export const newChecklistItems = z
  .array(z.strictObject({ text: checklistItemText, isDone: z.boolean().default(false) }))
  .max(CHECKLIST_ITEMS_MAX);
export type NewChecklistItems = z.output<typeof newChecklistItems>;
