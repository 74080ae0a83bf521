import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId, successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { prepareTaskEdit } from '../write/edit-task.ts';
import { findCategoryAndType } from './task-references.queries.ts';
import { requireCategoryAndType } from './task-references.ts';

export const setTaskCategory = defineOperation(
  {
    name: 'setTaskCategory',
    summary: "Change a task's category and type",
    description: 'A task without an estimate uses the default hours of its type or category.',
    access: 'session',
    capability: 'seeTasks',
    effect: 'write',
    input: z.strictObject({
      id: integerId,
      categoryId: integerId.nullish().meta({ description: 'If you send only a type, its category is used.' }),
      typeId: integerId.nullish(),
    }),
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id, categoryId = null, typeId = null }) => {
    const { db, caller } = ctx;
    const reads = { found: findCategoryAndType(caller, { categoryId, typeId }) };
    const writes = await prepareTaskEdit(ctx, id, reads, (task, { found }) => {
      const category = requireCategoryAndType(found ?? { category: null, type_category: null }, {
        categoryId,
        typeId,
      });
      const form = {
        wanted: { kind: [category, typeId] },
        current: { kind: [task.category, task.type] },
        madeBy: { type: 'task.updated', id, changes: ['category', 'type'] },
      };
      return { changes: { category, type: typeId }, form };
    });
    if (writes.length > 0) await db.batch(writes);
    return { success: true as const };
  },
);
