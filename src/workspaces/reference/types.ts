import * as z from 'zod';
import { notFoundError } from '../../kernel/errors/errors.ts';
import { buildPage, buildPageSchema, pageInput, toRange } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import * as queries from './reference.queries.ts';
import { taskType } from './reference.schema.ts';

export const listTaskTypes = defineOperation(
  {
    name: 'listTaskTypes',
    summary: 'List task types',
    description: "Each type belongs to a category. Setting a task's type also sets its category.",
    access: 'projects:read',
    capability: 'seeReference',
    effect: 'read',
    input: z.strictObject({
      ...pageInput,
      categoryId: integerId.optional().meta({ description: 'Only types of this category.' }),
    }),
    output: buildPageSchema(taskType).meta({ id: 'TaskTypePage' }),
  },
  async ({ db, caller }, input) => {
    const range = toRange(input, 1);
    const [rows, total] = await db.batch([
      queries.listTypes(caller, { ...range, categoryId: input.categoryId }),
      queries.countTypes(caller, input),
    ]);
    return buildPage({ range, total, rows, key: (row) => [row.id], show: toTaskType });
  },
);

export const getTaskType = defineOperation(
  {
    name: 'getTaskType',
    summary: 'Get a task type',
    description: 'Also returns inactive types.',
    access: 'projects:read',
    capability: 'seeReference',
    effect: 'read',
    input: z.strictObject({ id: integerId }),
    output: taskType,
  },
  async ({ db, caller }, { id }) => {
    const [found] = await db.batch([queries.getType(caller, id)]);
    if (!found) throw notFoundError('task type', id, ({ call }) => call('listTaskTypes'));
    return toTaskType(found);
  },
);

function toTaskType({ default_estimated_hours, category_id, ...row }: queries.TaskTypeRow) {
  return { ...row, defaultEstimatedHours: default_estimated_hours, categoryId: category_id };
}
