import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { taskTagsInput } from '../model/tasks.schema.ts';
import { editTask } from '../write/edit-task.ts';

const tagList = z.array(z.string());

export const setTaskTags = defineOperation(
  {
    name: 'setTaskTags',
    summary: 'Replace the tags of a task',
    access: 'session',
    capability: 'seeTasks',
    effect: 'write',
    input: taskTagsInput,
    output: z.object({ was: tagList }),
    repeat: { answer: async () => ({ was: [] }) },
  },
  async (ctx, { id, ...input }) => {
    const tags = [...new Set(input.tags)];
    let was: string[] = [];
    const writes = await editTask(ctx, id, [], (task) => {
      was = tagList.parse(JSON.parse(task.tags));
      return { changes: { tags: JSON.stringify(tags) } };
    });
    if (writes.length > 0) await ctx.db.batch(writes);
    return { was };
  },
);
