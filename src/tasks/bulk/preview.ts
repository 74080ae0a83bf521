import * as z from 'zod';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { formatWording } from '../../kernel/text/wording.ts';
import { toMarkdownLine } from '../checklists/change-checklist.ts';
import { fields, toFormValues } from '../field-values.ts';
import type { TaskTree } from '../hierarchy/task-tree.ts';
import { describeRecurrence } from '../recurrence/describe-recurrence.ts';
import { listAssigneeIds } from '../write/edit-task.ts';
import { agentEditInput, agentUpdateInput, bulkCreateInput, bulkIdsInput } from './bulk.schema.ts';
import { buildTaskDrafts } from './create.ts';
import { type BulkItem, mapItems } from './items.ts';
import { type BulkEdit, planBulkArchiving, planBulkUpdate } from './update.ts';

/*
 * A preview plans the changes as the real request would, and reports every item, even in mode `all`. Only tools use
 * previews.
 */

const changeOutput = z.object({ field: z.string(), from: z.unknown() });
const previewOutput = z.object({
  data: z.array(
    z.object({
      index: z.int(),
      task: z.object({ id: z.int(), name: z.string() }).optional(),
      changes: z.array(changeOutput).optional(),
      error: z.string().optional(),
    }),
  ),
});
const previewSpec = { access: 'tasks:write', effect: 'read', output: previewOutput } as const;

export const previewCreates = defineOperation(
  {
    ...previewSpec,
    name: 'previewCreates',
    summary: 'Preview which tasks can be created',
    capability: 'seeProjects',
    input: bulkCreateInput,
  },
  (ctx, input) => previewDrafts(ctx, input),
);

/** @param tree the trees of the new tasks' parents, if the caller has read them. */
export async function previewDrafts(
  ctx: Context,
  { tasks, descriptionFormat }: z.output<typeof bulkCreateInput>,
  tree?: TaskTree,
) {
  const { items } = await buildTaskDrafts(ctx, 'each', tasks, descriptionFormat, tree);
  return toPreviewResult(
    ctx,
    mapItems(items, () => ({})),
  );
}

export const previewUpdates = defineOperation(
  {
    ...previewSpec,
    name: 'previewUpdates',
    summary: 'Preview updates to tasks',
    capability: 'seeTasks',
    input: agentUpdateInput,
  },
  (ctx, input) => previewEdits(ctx, input),
);

/** @param tree the trees of the tasks and their new parents, if the caller has read them. */
export async function previewEdits(ctx: Context, input: z.output<typeof agentUpdateInput>, tree?: TaskTree) {
  const { items, checklists, recurrences } = await planBulkUpdate(
    ctx,
    { ...input, mode: 'each' },
    agentEditInput,
    tree,
  );
  const previews = mapItems(items, (edit) => {
    const { task, changes } = toPreview(edit);
    const checklist = checklists.find((each) => each.task === task.id);
    const from = checklist?.before.lines.map(toMarkdownLine);
    const recurrence = recurrences.find((each) => each.task === task.id);
    return {
      task,
      changes: [
        ...changes,
        ...(from ? [{ field: 'checklist', from }] : []),
        ...(recurrence
          ? [{ field: 'repeat', from: recurrence.from && describeRecurrence(recurrence.from) }]
          : []),
      ],
    };
  });
  return toPreviewResult(ctx, previews);
}

export const previewArchived = defineOperation(
  {
    ...previewSpec,
    name: 'previewArchived',
    summary: 'Preview which tasks would be archived or restored',
    capability: 'seeTasks',
    input: bulkIdsInput.extend({ isArchived: z.boolean() }),
  },
  async (ctx, { isArchived, ids }) => {
    const { items } = await planBulkArchiving(ctx, { ids, mode: 'each' }, isArchived ? 1 : 0);
    return toPreviewResult(ctx, mapItems(items, toPreview));
  },
);

function toPreview({ task, changes }: BulkEdit) {
  const values = toFormValues({ ...task, description: null }, listAssigneeIds(task));
  const changed = Object.keys(changes).flatMap((name) => fields.filter(({ column }) => column === name));
  return {
    task: { id: task.id, name: task.name },
    changes: changed.map(({ inputName: field }) => ({ field, from: values[field] })),
  };
}

function toPreviewResult(ctx: Context, items: readonly BulkItem<object>[]) {
  const data = items.map(({ index, value, error }) =>
    error ? { index, error: formatWording(error.wording, ctx.words) } : { index, ...value },
  );
  return { data };
}
