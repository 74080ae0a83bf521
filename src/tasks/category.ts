import * as z from 'zod';
import { isUntouched, requireAsShown } from '../kernel/as-shown.ts';
import { operation } from '../kernel/operation.ts';
import { done, doneAgain, integerId } from '../kernel/schema.ts';
import { realChanges, requireUnarchived, taskNotFound } from '../task-model/tasks.policy.ts';
import { assertWritable, findTaskState } from '../task-model/tasks.queries.ts';
import { changeTask } from '../task-write/tasks.write.ts';
import { findKind } from './task-references.queries.ts';
import { requireKind } from './task-references.ts';

export const setTaskCategory = operation(
  {
    name: 'setTaskCategory',
    summary: 'Give a task another category and type',
    description:
      'Where the task has no estimate, the hours of the type or category count for it from now on.',
    access: 'session',
    capability: 'seeTasks',
    effect: 'write',
    input: z.strictObject({
      id: integerId,
      categoryId: integerId.nullish().meta({ description: 'A type alone brings it along.' }),
      typeId: integerId.nullish(),
    }),
    output: done,
    repeat: doneAgain,
  },
  async (ctx, { id, categoryId = null, typeId = null }) => {
    const { db, caller, shown } = ctx;
    const [task, found] = await db.batch([
      findTaskState(caller, id),
      findKind(caller, { categoryId, typeId }),
    ]);
    if (!task) throw taskNotFound(id);
    const category = requireKind(found ?? { category: null, type_category: null }, { categoryId, typeId });
    requireUnarchived(task);
    const wanted = { kind: [category, typeId] };
    // Whoever changed nothing must not put back what others changed.
    if (isUntouched(shown, wanted)) return { success: true as const };
    const madeBy = { type: 'task.updated', id, changes: ['category', 'type'] };
    requireAsShown(shown, wanted, { kind: [task.category, task.type] }, madeBy);
    const changes = realChanges(task, { category, type: typeId });
    if (Object.keys(changes).length > 0) {
      await db.batch([assertWritable(caller, id), ...changeTask(ctx, task, changes)]);
    }
    return { success: true as const };
  },
);
