import { requireAsShown } from '../kernel/as-shown.ts';
import { operation } from '../kernel/operation.ts';
import { done, doneAgain } from '../kernel/schema.ts';
import { realChanges, requireUnarchived, taskNotFound } from '../task-model/tasks.policy.ts';
import { assertWritable, findTaskState } from '../task-model/tasks.queries.ts';
import { taskTagsInput } from '../task-model/tasks.schema.ts';
import { changeTask } from '../task-write/tasks.write.ts';

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
  async (ctx, { id, tags }) => {
    const { db, caller, shown } = ctx;
    const [task] = await db.batch([findTaskState(caller, id)]);
    if (!task) throw taskNotFound(id);
    requireUnarchived(task);
    requireAsShown(
      shown,
      { tags: [...new Set(tags)] },
      { tags: JSON.parse(task.tags) },
      { type: 'task.updated', id },
    );
    const changes = realChanges(task, { tags: JSON.stringify([...new Set(tags)]) });
    if (Object.keys(changes).length > 0) {
      await db.batch([assertWritable(caller, id), ...changeTask(ctx, task, changes)]);
    }
    return { success: true as const };
  },
);
