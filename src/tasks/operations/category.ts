import * as z from 'zod';
import { isUntouched, requireAsShown } from '../../kernel/operation/as-shown.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { done, doneAgain, integerId } from '../../kernel/operation/schema.ts';
import { requireUnarchived } from '../model/tasks.policy.ts';
import { editTask } from '../write/edit-task.ts';
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
    const reads = [findKind(caller, { categoryId, typeId })] as const;
    const writes = await editTask(ctx, id, reads, (task, found) => {
      const category = requireKind(found ?? { category: null, type_category: null }, { categoryId, typeId });
      requireUnarchived(task);
      const wanted = { kind: [category, typeId] };
      // Don't overwrite other people's changes with an untouched form.
      if (isUntouched(shown, wanted)) return { changes: {} };
      const madeBy = { type: 'task.updated', id, changes: ['category', 'type'] };
      requireAsShown(shown, wanted, { kind: [task.category, task.type] }, madeBy);
      return { changes: { category, type: typeId } };
    });
    if (writes.length > 0) await db.batch(writes);
    return { success: true as const };
  },
);
