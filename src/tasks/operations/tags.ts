import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { toColumnValues } from '../field-values.ts';
import { taskTagsInput } from '../model/tasks.schema.ts';
import { prepareTaskEdit } from '../write/edit-task.ts';

const previousTags = z.array(z.string());

export const setTaskTags = defineOperation(
  {
    name: 'setTaskTags',
    summary: "Replace a task's tags",
    access: 'session',
    capability: 'seeTasks',
    effect: 'write',
    input: taskTagsInput,
    output: z.object({ was: previousTags }),
    replay: { rebuild: async () => ({ was: [] }) },
  },
  async (ctx, { id, tags }) => {
    let was: string[] = [];
    const writes = await prepareTaskEdit(ctx, id, {}, (task) => {
      was = previousTags.parse(JSON.parse(task.tags));
      return { changes: toColumnValues({ tags }) };
    });
    if (writes.length > 0) await ctx.db.batch(writes);
    return { was };
  },
);
