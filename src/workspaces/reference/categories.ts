import * as z from 'zod';
import { notFoundError } from '../../kernel/errors/errors.ts';
import { buildPage, buildPageSchema, pageInput, toRange } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import * as queries from './reference.queries.ts';
import { taskCategory } from './reference.schema.ts';

export const listTaskCategories = defineOperation(
  {
    name: 'listTaskCategories',
    summary: 'List task categories',
    description: "A category's default estimate applies if neither the task nor its type has an estimate.",
    access: 'projects:read',
    capability: 'seeReference',
    effect: 'read',
    input: z.strictObject(pageInput),
    output: buildPageSchema(taskCategory).meta({ id: 'TaskCategoryPage' }),
  },
  async ({ db, caller }, input) => {
    const range = toRange(input, 1);
    const [rows, total] = await db.batch([
      queries.listCategories(caller, range),
      queries.countCategories(caller),
    ]);
    return buildPage({ range, total, rows, key: (row) => [row.id], show: toCategory });
  },
);

export const getTaskCategory = defineOperation(
  {
    name: 'getTaskCategory',
    summary: 'Get a task category',
    description: 'Also returns inactive categories.',
    access: 'projects:read',
    capability: 'seeReference',
    effect: 'read',
    input: z.strictObject({ id: integerId }),
    output: taskCategory,
  },
  async ({ db, caller }, { id }) => {
    const [found] = await db.batch([queries.getCategory(caller, id)]);
    if (!found) throw notFoundError('task category', id, ({ call }) => call('listTaskCategories'));
    return toCategory(found);
  },
);

function toCategory({ default_estimated_hours, ...row }: queries.CategoryRow) {
  return { ...row, defaultEstimatedHours: default_estimated_hours };
}
