import * as z from 'zod';
import { errorStatus } from '../../kernel/errors/errors.ts';
import { exampleTag } from '../../kernel/operation/examples.ts';
import {
  buildPlainTextSchema,
  integerId,
  jsonByteLimits,
  listsValidatedPerItem,
} from '../../kernel/operation/schema.ts';
import { descriptionFormatInput } from '../../kernel/rich-text/description-format.ts';
import { newChecklistItems } from '../checklist-items.ts';
import { tagList } from '../fields.ts';
import { taskCreateInput, taskDetail, taskUpdateInput } from '../model/tasks.schema.ts';
import { targetProjectInput } from '../moving/moving.schema.ts';
import { ruleInput } from '../recurrence/recurrence.schema.ts';

const ITEMS_MAX = 100;
/**
 * Limits the memory that a response needs. Long descriptions are read and sent separately, in batches
 * (descriptions.ts).
 */
const RESPONSE_BYTES_MAX = 7 * 1024 * 1024;

const modeInput = z
  .enum(['all', 'each'])
  .default('all')
  .meta({ description: '`all` saves all items or none; `each` saves the valid items.', example: 'all' });

/** Items are parsed one by one, so that an error can name its item. */
function buildItemList(item: z.ZodType, description: string) {
  const list = z
    .array(z.unknown())
    .min(1)
    .max(ITEMS_MAX)
    .meta({ description, override: { items: z.toJSONSchema(item, { io: 'input' }) as never } });
  listsValidatedPerItem.add(list);
  return list;
}

export const bulkEditInput = taskUpdateInput.extend({
  ifVersion: z.string().max(200).optional().meta({
    description:
      "The task's ETag, or only its leading version number. The task is changed only if it still has this version.",
    example: exampleTag,
  }),
});
export type BulkEditInput = z.infer<typeof bulkEditInput>;

/** The REST API accepts a category and type only for new tasks. Agents can also change them. */
export const categoryInputs = { categoryId: integerId.nullish(), typeId: integerId.nullish() };
export const agentEditInput = bulkEditInput.extend({
  ...categoryInputs,
  checklist: newChecklistItems.optional(),
  recurrence: ruleInput.nullish(),
});
export type AgentEditInput = z.infer<typeof agentEditInput>;

const idsInput = z
  .array(integerId)
  .min(1)
  .max(ITEMS_MAX)
  .meta({ description: 'Send each id once.', example: [1, 2] });
const sharedChanges = taskUpdateInput.omit({ id: true });

export const bulkCreateInput = z.strictObject({
  mode: modeInput,
  descriptionFormat: descriptionFormatInput,
  tasks: buildItemList(taskCreateInput, 'Each item has the fields of `POST /tasks`.'),
});
export const bulkUpdateInput = z.strictObject({
  mode: modeInput,
  descriptionFormat: descriptionFormatInput,
  updates: buildItemList(
    bulkEditInput,
    "Each item has the fields of `PATCH /tasks/{id}` and the task's id.",
  ).optional(),
  ids: idsInput.optional(),
  set: sharedChanges.optional().meta({ description: 'The changes to make to all tasks in `ids`.' }),
});
export const agentUpdateInput = bulkUpdateInput.extend({
  set: sharedChanges.extend({ ...categoryInputs, recurrence: ruleInput.nullish() }).optional(),
});
const FIELDS_MAX = 20;
const FIELD_TEXTS_MAX = 50;
/** The values of custom fields as a form sends them. The field's type decides how they are parsed. */
const fieldTexts = z
  .record(z.string().regex(/^cf_[1-9]\d{0,14}$/), z.array(z.string().max(2_000)).min(1).max(FIELD_TEXTS_MAX))
  .refine((texts) => Object.keys(texts).length <= FIELDS_MAX, `must have at most ${FIELDS_MAX} fields`);

const selectedChanges = sharedChanges.extend({
  addTags: tagList.optional(),
  removeTags: tagList.optional(),
  fieldTexts: fieldTexts.optional(),
});
export const selectedEditInput = bulkEditInput.extend(selectedChanges.shape);
export type SelectedEditInput = z.infer<typeof selectedEditInput>;
export const selectedTasksInput = z.strictObject({ ids: idsInput, set: selectedChanges });

export const bulkIdsInput = z.strictObject({
  mode: modeInput,
  descriptionFormat: descriptionFormatInput,
  ids: idsInput,
});

export const bulkMoveInput = bulkIdsInput.extend({ projectId: targetProjectInput });
export const bulkDeleteInput = bulkIdsInput.omit({ descriptionFormat: true });

const itemError = z.object({
  code: z.enum(Object.keys(errorStatus) as [keyof typeof errorStatus]),
  message: buildPlainTextSchema(2_000),
  status: z
    .int()
    .meta({ description: 'The HTTP status that a request for only this item would return.', example: 404 }),
});

const itemOutcomes = z
  .array(
    z.object({
      index: z.int(),
      task: taskDetail.optional(),
      id: integerId.optional().meta({ description: 'Only with Prefer: return=minimal.' }),
      version: z.int().optional().meta({ description: 'Only with Prefer: return=minimal.' }),
      error: itemError.optional(),
    }),
  )
  .max(ITEMS_MAX)
  .meta({ description: 'One result per item, in the order sent: the task or its error.' });
jsonByteLimits.add(itemOutcomes, { bytes: RESPONSE_BYTES_MAX });

const bulkMeta = z.object({ succeeded: z.int(), failed: z.int() });
export const bulkResult = z.object({ data: itemOutcomes, meta: bulkMeta }).meta({ id: 'BulkResult' });

export const bulkDeletionResult = z
  .object({
    data: z
      .array(z.object({ index: z.int(), id: integerId.optional(), error: itemError.optional() }))
      .max(ITEMS_MAX)
      .meta({
        description: 'One result per item, in the order sent: the id of the deleted task or an error.',
      }),
    meta: bulkMeta,
  })
  .meta({ id: 'BulkDeletionResult' });

/** If every item was rejected, returns `isPreferred`, because minimal and full responses then look the same. */
export function isMinimalResult(output: unknown, isPreferred: boolean): boolean {
  const { data } = output as z.output<typeof bulkResult>;
  return data.some(({ id }) => id !== undefined) || (isPreferred && data.every(({ error }) => error));
}
