import * as z from 'zod';
import { operation } from '../kernel/operation.ts';
import { page, pageOf } from '../kernel/pagination.ts';
import { toTask } from '../task-model/tasks.present.ts';
import { taskListInput, taskPage } from '../task-model/tasks.schema.ts';
import { countOnCards } from './cards.queries.ts';
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

export const listCards = operation(
  {
    name: 'listCards',
    summary: 'List tasks as cards of a board, with how much hangs on each',
    access: 'session',
    capability: 'seeTasks',
    effect: 'read',
    input: taskListInput.omit({ expand: true }),
    output: cardPage,
  },
  async (ctx, input) => {
    const { extra = [], ...found } = await readTaskPage(ctx, input, (ids) => [
      countOnCards(ctx.caller, ids, FILES_COUNTED + 1),
    ]);
    const countsOf = new Map(extra.map((row) => [row.id, row]));
    return page({
      ...found,
      show: (row) => {
        const counts = countsOf.get(row.id);
        return { ...toTask(row), commentCount: counts?.comments ?? 0, fileCount: counts?.files ?? 0 };
      },
    });
  },
);
