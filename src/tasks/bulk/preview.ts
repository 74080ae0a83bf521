import * as z from 'zod';
import { type Context, operation } from '../../kernel/operation/operation.ts';
import { say } from '../../kernel/text/wording.ts';
import { fields, formValues } from '../field-values.ts';
import { bulkCreateInput, bulkIdsInput, bulkUpdateInput } from './bulk.schema.ts';
import { draftsOf } from './create.ts';
import { advance, type Item } from './items.ts';
import { type Edit, planArchived, planUpdate } from './update.ts';

/*
 * Previews of bulk requests, computed by the code that runs them. Only tools use them, so there is no REST route. They
 * report for every item whether it would succeed, whatever the mode.
 */

const change = z.object({ field: z.string(), from: z.unknown() });
const preview = z.object({
  data: z.array(
    z.object({
      index: z.int(),
      task: z.object({ id: z.int(), name: z.string() }).optional(),
      changes: z.array(change).optional(),
      error: z.string().optional(),
    }),
  ),
});
const spec = { access: 'tasks:write', effect: 'read', output: preview } as const;

export const previewCreates = operation(
  {
    ...spec,
    name: 'previewCreates',
    summary: 'Preview which of these tasks can be created',
    capability: 'seeProjects',
    input: bulkCreateInput,
  },
  async (ctx, { tasks }) =>
    shown(
      ctx,
      advance(await draftsOf(ctx, 'each', tasks), () => ({})),
    ),
);

export const previewUpdates = operation(
  {
    ...spec,
    name: 'previewUpdates',
    summary: 'Preview the changes of these updates',
    capability: 'seeTasks',
    input: bulkUpdateInput,
  },
  async (ctx, input) => {
    const { items } = await planUpdate(ctx, { ...input, mode: 'each' });
    return shown(ctx, advance(items, describe));
  },
);

export const previewArchived = operation(
  {
    ...spec,
    name: 'previewArchived',
    summary: 'Preview which tasks would be archived or restored',
    capability: 'seeTasks',
    input: bulkIdsInput.extend({ isArchived: z.boolean() }),
  },
  async (ctx, { isArchived, ids }) => {
    const { items } = await planArchived(ctx, { ids, mode: 'each' }, isArchived ? 1 : 0);
    return shown(ctx, advance(items, describe));
  },
);

/** Descriptions are too long to show. */
function describe({ task, changes }: Edit) {
  const values = formValues({ ...task, description: null });
  const changed = Object.keys(changes).flatMap((name) => fields.filter(({ column }) => column === name));
  return {
    task: { id: task.id, name: task.name },
    changes: changed.map(({ inputName: field }) => ({ field, from: values[field] })),
  };
}

function shown(ctx: Context, items: readonly Item<object>[]) {
  const data = items.map(({ index, value, error }) =>
    error ? { index, error: say(error.wording, ctx.words) } : { index, ...value },
  );
  return { data };
}
