import * as z from 'zod';
import { buildPageSchema } from '../../kernel/lists/pagination.ts';
import { taskFields } from '../fields.ts';
import { checklistProgress, isBlocked, subtaskProgress, taskPage } from '../model/tasks.schema.ts';

export const SEARCH_CARDS_MAX = 80;
/** A card with more files shows "more than" this number. */
export const FILES_COUNTED_MAX = 9;

const card = taskPage.shape.data.element
  .pick({ id: true, name: true, status: true, priority: true, deadline: true, tags: true })
  .extend({
    assignees: taskFields.assignees.output,
    project: z.string().nullable(),
    parent: z.string().nullable(),
    commentCount: z.int().min(0),
    fileCount: z.int().min(0),
    subtasks: subtaskProgress,
    checklist: checklistProgress,
    isRecurring: z.boolean(),
    isBlocked,
    dueTime: z.string().nullable(),
  });
export type Card = z.output<typeof card>;
/**
 * If `isCounted` is false, `meta.total` counts the cards only up to the end of the page, plus one if there are more.
 */
export const cardPage = buildPageSchema(card).extend({ isCounted: z.boolean() });
