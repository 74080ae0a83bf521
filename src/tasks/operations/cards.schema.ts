import * as z from 'zod';
import { buildPageSchema } from '../../kernel/lists/pagination.ts';
import { taskPage } from '../model/tasks.schema.ts';

export const FOUND_CARDS_MAX = 80;
/** Cards don't show larger counts. */
export const FILES_COUNTED_MAX = 9;

const card = taskPage.shape.data.element
  .pick({ id: true, name: true, status: true, priority: true, assignee: true, deadline: true })
  .extend({
    /** Null on a board of one project. */
    project: z.string().nullable(),
    commentCount: z.int().min(0),
    /** One more than `FILES_COUNTED_MAX` means more than that. */
    fileCount: z.int().min(0),
  });
export type Card = z.output<typeof card>;
/** Without `isCounted`, `meta.total` counts to the end of the page, plus one if there is more. */
export const cardPage = buildPageSchema(card).extend({ isCounted: z.boolean() });
