import * as z from 'zod';
import { integerId } from '../../kernel/operation/schema.ts';
import { CHECKLIST_ITEM_CHARACTERS_MAX, CHECKLIST_ITEMS_MAX, checklistItemText } from '../checklist-items.ts';

const checklistItemId = integerId.meta({ description: 'The id of a checklist item.' });
const position = z
  .int()
  .min(0)
  .max(CHECKLIST_ITEMS_MAX - 1)
  .meta({ description: 'The position in the checklist, starting at 0.' });

export const checklistItem = z
  .object({ id: integerId, text: z.string().max(CHECKLIST_ITEM_CHARACTERS_MAX), isDone: z.boolean() })
  .meta({ id: 'ChecklistLine', example: { id: 1, text: 'Choose the hero image', isDone: false } });

export const checklist = z
  .object({ items: z.array(checklistItem).max(CHECKLIST_ITEMS_MAX) })
  .meta({ id: 'Checklist' });

export const checklistInput = z.strictObject({
  id: integerId,
  items: z
    .array(
      z.strictObject({
        id: checklistItemId.optional(),
        text: checklistItemText,
        isDone: z.boolean().default(false),
      }),
    )
    .max(CHECKLIST_ITEMS_MAX)
    .meta({ description: 'The whole checklist in order. Items without an id are new.' }),
});
export const newChecklistItemInput = z.strictObject({
  id: integerId,
  text: checklistItemText,
  isDone: z.boolean().default(false),
  position: position.optional().meta({ description: 'Defaults to the end of the checklist.' }),
});
export const checklistItemKeyInput = z.strictObject({ id: integerId, itemId: checklistItemId });
export const checklistItemUpdateInput = z.strictObject({
  ...checklistItemKeyInput.shape,
  text: checklistItemText.optional(),
  isDone: z.boolean().optional(),
  position: position.optional(),
});
