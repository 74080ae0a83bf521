import * as z from 'zod';
import { reachOf } from '../kernel/capabilities.ts';
import { operation } from '../kernel/operation.ts';
import { page, pageOf } from '../kernel/pagination.ts';
import { toTask } from '../task-model/tasks.present.ts';
import { taskListInput, taskPage } from '../task-model/tasks.schema.ts';
import { readTaskPage } from '../tasks/read-page.ts';
import { sumTracked } from './tracked-time.queries.ts';

const row = taskPage.shape.data.element.omit({ comments: true }).extend({
  /** Null where it was not asked for. */
  trackedSeconds: z.int().nullable(),
});

export const listTaskRows = operation(
  {
    name: 'listTaskRows',
    summary: 'List tasks, with the time that was tracked on each by those whose workload the caller sees',
    access: 'session',
    capability: 'seeTasks',
    effect: 'read',
    input: taskListInput.omit({ expand: true }).extend({ withTracked: z.boolean().default(false) }),
    output: pageOf(row),
  },
  async (ctx, { withTracked, ...input }) => {
    const { caller, now } = ctx;
    const reach = reachOf(caller, 'seeWorkload');
    // One's own time everybody sees.
    const filter = { reach: reach === 'none' ? ('self' as const) : reach };
    const { extra, ...found } = await readTaskPage(ctx, input, {
      beside: (ids) => (withTracked ? [sumTracked(caller, filter, ids, now)] : []),
    });
    const secondsOf = new Map(extra?.map(({ task, seconds }) => [task, seconds]));
    return page({
      ...found,
      show: (task) => ({
        ...toTask(task),
        trackedSeconds: withTracked ? (secondsOf.get(task.id) ?? 0) : null,
      }),
    });
  },
);
