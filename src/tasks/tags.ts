import { requireAsShown } from '../kernel/as-shown.ts';
import { operation } from '../kernel/operation.ts';
import { done, doneAgain } from '../kernel/schema.ts';
import { requireUnarchived } from '../task-model/tasks.policy.ts';
import { taskTagsInput } from '../task-model/tasks.schema.ts';
import { editTask } from '../task-write/edit-task.ts';

export const setTaskTags = operation(
  {
    name: 'setTaskTags',
    summary: 'Give a task these tags in place of those that it has',
    access: 'session',
    capability: 'seeTasks',
    effect: 'write',
    input: taskTagsInput,
    output: done,
    repeat: doneAgain,
  },
  async (ctx, { id, ...input }) => {
    const tags = [...new Set(input.tags)];
    const writes = await editTask(ctx, id, [], (task) => {
      requireUnarchived(task);
      requireAsShown(ctx.shown, { tags }, { tags: JSON.parse(task.tags) }, { type: 'task.updated', id });
      return { changes: { tags: JSON.stringify(tags) } };
    });
    if (writes.length > 0) await ctx.db.batch(writes);
    return { success: true as const };
  },
);
