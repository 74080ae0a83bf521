import * as z from 'zod';
import { integerId } from '../../kernel/operation/schema.ts';
import { CHECKLIST_LINES_MAX, LINE_CHARACTERS_MAX, lineText } from '../checklist-lines.ts';

const lineId = integerId.meta({ description: 'A checklist item.' });
const position = z
  .int()
  .min(0)
  .max(CHECKLIST_LINES_MAX - 1)
  .meta({ description: 'The position in the checklist, starting at 0.' });

export const checklistLine = z
  .object({ id: integerId, text: z.string().max(LINE_CHARACTERS_MAX), isDone: z.boolean() })
  .meta({ id: 'ChecklistLine', example: { id: 1, text: 'Choose the hero image', isDone: false } });

export const checklist = z
  .object({ items: z.array(checklistLine).max(CHECKLIST_LINES_MAX) })
  .meta({ id: 'Checklist' });

export const checklistInput = z.strictObject({
  id: integerId,
  items: z
    .array(z.strictObject({ id: lineId.optional(), text: lineText, isDone: z.boolean().default(false) }))
    .max(CHECKLIST_LINES_MAX)
    .meta({ description: 'The whole checklist in order. Items without an id are new.' }),
});
export const newLineInput = z.strictObject({
  id: integerId,
  text: lineText,
  isDone: z.boolean().default(false),
  position: position.optional().meta({ description: 'Defaults to the end of the checklist.' }),
});
export const lineKeyInput = z.strictObject({ id: integerId, itemId: lineId });
export const lineUpdateInput = z.strictObject({
  ...lineKeyInput.shape,
  text: lineText.optional(),
  isDone: z.boolean().optional(),
  position: position.optional(),
});
