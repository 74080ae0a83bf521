import * as z from 'zod';
import { operation } from '../kernel/operation.ts';
import { page, pageOf } from '../kernel/pagination.ts';
import { toTask } from '../task-model/tasks.present.ts';
import { taskListInput, taskPage, taskSorts } from '../task-model/tasks.schema.ts';
import { countsOfCard } from './cards.queries.ts';
import { readTaskPage } from './read-page.ts';

/** More files are shown as this many. */
export const FILES_COUNTED = 9;

const card = taskPage.shape.data.element.omit({ comments: true }).extend({
  commentCount: z.int().min(0),
  /** One more than `FILES_COUNTED` means more than that. */
  fileCount: z.int().min(0),
});
export type Card = z.output<typeof card>;
export const cardPage = pageOf(card);

const cardListInput = taskListInput.omit({ expand: true, cursor: true, offset: true }).extend({
  /** By hand: each where somebody put it, and the others newest first, as everything is that a search finds. */
  sort: z.enum([...taskSorts, 'hand']),
});

export const listCards = operation(
  {
    name: 'listCards',
    summary: 'List tasks as cards of a board, with how much hangs on each',
    access: 'session',
    capability: 'seeTasks',
    effect: 'read',
    input: cardListInput,
    output: cardPage,
  },
  async (ctx, input) =>
    page({
      ...(await readTaskPage(ctx, { ...input, offset: 0 }, { more: countsOfCard(FILES_COUNTED + 1) })),
      show: (row) => ({ ...toTask(row), commentCount: row.comments, fileCount: row.files }),
    }),
);
