import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { OperationResponse } from '../../kernel/operation/operation-response.ts';
import { type DescriptionFormat, parseDescription } from '../../kernel/rich-text/description-format.ts';
import { batchByName } from '../../kernel/sql/batch-by-name.ts';
import { selectIdsInOrder } from '../../kernel/sql/database.ts';
import type { FieldContext } from '../custom-fields/custom-fields.queries.ts';
import { assertContextUnchanged, findFieldContextForItems } from '../custom-fields/field-context.ts';
import { planFieldValues } from '../custom-fields/field-values.ts';
import { assertValidParents } from '../hierarchy/hierarchy.queries.ts';
import { listAffectedTrees, TaskTree } from '../hierarchy/task-tree.ts';
import { type TaskDraft, toDraft } from '../model/insert.queries.ts';
import { newestTask, selectIds, selectNewTasks } from '../model/selection.queries.ts';
import { requireOneAssigneeInput } from '../model/tasks.policy.ts';
import { taskCreateInput } from '../model/tasks.schema.ts';
import { requireTaskReferences } from '../operations/task-references.ts';
import { addRecurrenceToDraft } from '../write/recurrence-edits.ts';
import { createTasks } from '../write/tasks.write.ts';
import { bulkCreateInput, bulkResult, isMinimalResult } from './bulk.schema.ts';
import { assertReferences, listTaskReferences } from './create.queries.ts';
import { streamDescriptions } from './descriptions.ts';
import { type BulkDetails, writeAndReadDetails } from './details.ts';
import {
  type BulkItem,
  type BulkMode,
  createFieldPathBuilder,
  getAcceptedValues,
  mapItems,
  parseItems,
  requireAllAccepted,
  toBulkResult,
} from './items.ts';

export const createTasksInBulk = defineOperation(
  {
    name: 'createTasksInBulk',
    summary: 'Create up to 100 tasks at once',
    description:
      'By default, either all tasks are created or none are. With `mode` set to `each`, valid tasks are created, and the response has an error for each of the others.',
    access: 'tasks:write',
    capability: 'seeProjects',
    effect: 'write',
    input: bulkCreateInput,
    output: bulkResult,
    isMinimal: isMinimalResult,
    replay: {
      entity: newestTask,
      async rebuild(ctx, { mode, tasks, descriptionFormat }, newest) {
        const { items } = await buildTaskDrafts(ctx, mode, tasks, descriptionFormat);
        const count = getAcceptedValues(items).length;
        const ids = Array.from({ length: count }, (_, place) => newest - count + 1 + place);
        const created = await writeAndReadDetails(ctx, selectIdsInOrder(ids), count);
        return toBulkResponse(ctx, mode, toCreateResult(ctx, items, ids, created.results), created);
      },
    },
  },
  async (ctx, { mode, tasks, descriptionFormat }) => {
    const { items, fields } = await buildTaskDrafts(ctx, mode, tasks, descriptionFormat);
    const drafts = getAcceptedValues(items);
    if (drafts.length === 0)
      return toBulkResponse(ctx, mode, toBulkResult(mapItems(items, throwMissingResult), ctx.words));
    const created = await writeAndReadDetails(ctx, selectIds(selectNewTasks(drafts.length)), drafts.length, [
      assertReferences(ctx.caller, drafts),
      ...assertContextUnchanged(ctx, fields),
      ...createTasks(ctx, drafts),
      ...(drafts.some(({ parent }) => parent !== null)
        ? [assertValidParents(ctx.caller, selectNewTasks(drafts.length))]
        : []),
    ]);
    return toBulkResponse(
      ctx,
      mode,
      toCreateResult(ctx, items, [...created.results.keys()], created.results),
      created,
    );
  },
);

export async function buildTaskDrafts(
  ctx: Context,
  mode: BulkMode,
  tasks: readonly unknown[],
  format: DescriptionFormat,
  knownTree?: TaskTree,
): Promise<{ items: BulkItem<TaskDraft>[]; fields: FieldContext | null }> {
  const parsed = mapItems(parseItems(taskCreateInput, tasks), (input) =>
    parseDescription(requireOneAssigneeInput(input), format),
  );
  requireAllAccepted(mode, parsed, createFieldPathBuilder('tasks'));
  const named = getAcceptedValues(parsed);
  const projects = named.map(({ projectId }) => projectId);
  const reads = {
    found: listTaskReferences(ctx.caller, named),
    trees: knownTree ? null : listAffectedTrees(ctx.caller, named),
    fields: findFieldContextForItems(ctx, named, selectIdsInOrder(projects)),
  };
  const { found, trees, fields } =
    named.length > 0 ? await batchByName(ctx.db, reads) : { found: [], trees: null, fields: null };
  const tree = knownTree ?? new TaskTree(trees ?? []);
  let next = 0;
  const drafts = mapItems(parsed, (input) => {
    const references = requireTaskReferences(found[next++] ?? null, input);
    tree.placeTask({ project: references.project, parentId: input.parentId ?? null });
    const { project } = references;
    const field_values = planFieldValues(input.customFields, { project, stored: null }, fields);
    const draft = addRecurrenceToDraft(ctx, toDraft(input, references), input.recurrence);
    return { ...draft, field_values };
  });
  requireAllAccepted(mode, drafts, createFieldPathBuilder('tasks'));
  return { items: drafts, fields };
}

/** Assigns the new ids to the accepted items in order, because tasks get ascending ids in the order of the request. */
function toCreateResult<T extends object>(
  ctx: Context,
  items: readonly BulkItem<TaskDraft>[],
  ids: readonly number[],
  created: Map<number, T>,
) {
  let next = 0;
  return toBulkResult(
    mapItems(items, () => created.get(ids[next++] ?? 0) as T),
    ctx.words,
  );
}

/** With mode `each`, the status is 200, because 201 would mean that everything was created. */
function toBulkResponse<T>({ db, caller }: Context, mode: BulkMode, body: T, created?: BulkDetails) {
  const inParts = created && streamDescriptions(db, caller, created.long);
  return new OperationResponse(body, { inParts, ...(mode === 'each' && { status: 200 }) });
}

function throwMissingResult(): never {
  throw new Error('an item that passed its checks has no result');
}
