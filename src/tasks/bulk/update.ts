// This file is long because bulk edits and bulk archiving share the code that checks and runs them.
import type * as z from 'zod';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { matchesVersion, preconditionFailedError } from '../../kernel/operation/entity-tag.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { parseDescription } from '../../kernel/rich-text/description-format.ts';
import { batchByName } from '../../kernel/sql/batch-by-name.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import type { ChecklistEdit } from '../checklists/change-checklist.ts';
import { selectTaskProjects } from '../custom-fields/custom-fields.queries.ts';
import { assertContextUnchanged, findFieldContextForItems } from '../custom-fields/field-context.ts';
import { planFieldValueChange } from '../custom-fields/field-values.ts';
import { toColumnValues } from '../field-values.ts';
import { type DescendantState, listAffectedDescendants } from '../hierarchy/hierarchy.queries.ts';
import { listAffectedTrees, TaskTree } from '../hierarchy/task-tree.ts';
import { type BulkTaskState, listTaskStates } from '../model/bulk-states.queries.ts';
import { requireOneAssigneeInput } from '../model/tasks.policy.ts';
import {
  assertActiveAssignees,
  listMemberNumbers,
  toMemberNumbers,
} from '../operations/task-references.queries.ts';
import {
  buildEditStatements,
  listRequestedAssignees,
  planEdit,
  requireAssigneeMemberNumbers,
} from '../write/edit-task.ts';
import type { RecurrenceEdit } from '../write/recurrence-edits.ts';
import type { TaskEdit } from '../write/tasks.write.ts';
import {
  type AgentEditInput,
  agentEditInput,
  agentUpdateInput,
  type BulkEditInput,
  bulkEditInput,
  bulkIdsInput,
  bulkResult,
  bulkUpdateInput,
  isMinimalResult,
  type SelectedEditInput,
  selectedEditInput,
  selectedTasksInput,
} from './bulk.schema.ts';
import { buildAcceptedChecklistStatements, planChecklists } from './checklists.ts';
import { dropUnchangedDescriptions } from './descriptions.ts';
import { addFieldTexts, toCustomFields } from './field-texts.ts';
import {
  type BulkItem,
  type BulkMode,
  createFieldPathBuilder,
  type FieldPathBuilder,
  getAcceptedValues,
  getSharedUpdatePath,
  mapItems,
  parseItems,
  rejectDuplicates,
  requireAllAccepted,
  requireTaskState,
  toIdItems,
} from './items.ts';
import { buildAcceptedRecurrenceStatements, planBulkRecurrence, readRecurrences } from './recurrences.ts';
import { replayBulkRequest } from './replay.ts';
import { resolveCategories } from './resolve-categories.ts';
import { planTags } from './tags.ts';
import { writeItems } from './write-items.ts';

export type BulkEdit = TaskEdit<BulkTaskState>;

export interface BulkPlan {
  mode: BulkMode;
  name: FieldPathBuilder;
  /** Set if the same change is made to all tasks. */
  ids?: readonly number[] | undefined;
  items: BulkItem<BulkEdit>[];
  /** Statements that abort the batch if something that was read has changed. */
  assertions: Statement<void>[];
  descendants: readonly DescendantState[];
  checklists: readonly ChecklistEdit[];
  recurrences: readonly RecurrenceEdit[];
}

const updateSpec = {
  access: 'tasks:write',
  capability: 'seeTasks',
  effect: 'write',
  output: bulkResult,
  replay: {
    rebuild: (
      ctx: Context,
      { updates, ids = [] }: z.output<typeof bulkUpdateInput>,
      record: string | number,
    ) => replayBulkRequest(ctx, updates?.map((update) => (update as BulkEditInput).id) ?? ids, record),
  },
} as const;

export const updateTasksInBulk = defineOperation(
  {
    ...updateSpec,
    name: 'updateTasksInBulk',
    summary: 'Update up to 100 tasks at once',
    description:
      'Send either `updates`, each with an id and its changes, or both `ids` and `set` to make the same change to all tasks. By default, either all changes are made or none. With `mode` set to `each`, the valid changes are made, and each of the others has an error in the response.',
    input: bulkUpdateInput,
    isMinimal: isMinimalResult,
    example: { updates: [{ id: 1, priority: 'high' }] },
  },
  async (ctx, input) => runBulkPlan(ctx, await planBulkUpdate(ctx, input)),
);

export const updateTasksAsAgent = defineOperation(
  {
    ...updateSpec,
    name: 'updateTasksAsAgent',
    summary: 'Update up to 100 tasks at once, including their categories and types',
    input: agentUpdateInput,
  },
  async (ctx, input) => runBulkPlan(ctx, await planBulkUpdate(ctx, input, agentEditInput)),
);

export const updateSelectedTasks = defineOperation(
  {
    name: 'updateSelectedTasks',
    summary: 'Make the same change to up to 100 selected tasks',
    access: 'session',
    capability: 'seeTasks',
    effect: 'write',
    input: selectedTasksInput,
    output: bulkResult,
    replay: { rebuild: (ctx, { ids }, record) => replayBulkRequest(ctx, ids, record) },
  },
  async (ctx, input) => {
    const shared = { ...input, mode: 'all' as const, descriptionFormat: 'html' as const };
    return runBulkPlan(ctx, await planBulkUpdate(ctx, shared, selectedEditInput));
  },
);

const anyEditInput = agentEditInput.extend(selectedEditInput.shape);
type AnyEditInput = AgentEditInput & Partial<SelectedEditInput>;

export async function planBulkUpdate(
  ctx: Context,
  { mode, updates, ids, set, descriptionFormat }: z.output<typeof bulkUpdateInput>,
  item: typeof bulkEditInput | typeof agentEditInput | typeof selectedEditInput = bulkEditInput,
  knownTree?: TaskTree,
): Promise<BulkPlan> {
  if ((updates === undefined) === (ids === undefined && set === undefined)) {
    throw invalidRequestError('Send either updates, or both ids and set.', 'updates');
  }
  if (updates === undefined && (ids === undefined || set === undefined)) {
    throw invalidRequestError(
      `${ids ? 'set' : 'ids'} is required with ${ids ? 'ids' : 'set'}`,
      ids ? 'set' : 'ids',
    );
  }
  const name = updates ? createFieldPathBuilder('updates') : getSharedUpdatePath;
  const raw = updates ?? (ids ?? []).map((id) => ({ ...set, id }));
  const given = rejectDuplicates(parseItems(item as typeof anyEditInput, raw));
  const described = mapItems(given, (edit) =>
    parseDescription(requireOneAssigneeInput(edit), descriptionFormat),
  );
  const parsed = await resolveCategories(ctx, described);
  requireAllAccepted(mode, parsed, name, ids);
  const edits: AnyEditInput[] = getAcceptedValues(parsed);
  const names = [...new Set(edits.flatMap(listRequestedAssignees))];
  const editedIds = edits.map(({ id }) => id);
  const { tasks, members, trees, fields } = await batchByName(ctx.db, {
    tasks: listTaskStates(ctx.caller, editedIds),
    members: listMemberNumbers(ctx.caller, names),
    trees: knownTree ? null : listAffectedTrees(ctx.caller, edits),
    fields: findFieldContextForItems(
      ctx,
      edits.map(addFieldTexts),
      selectTaskProjects(ctx.caller, editedIds),
    ),
  });
  const tree = knownTree ?? new TaskTree(trees ?? []);
  const numbers = toMemberNumbers(members);
  const recurrences: RecurrenceEdit[] = [];
  const series = await readRecurrences(ctx, edits);
  const changed = mapItems(parsed, (edit: AnyEditInput) => {
    const task = requireTaskState(tasks, edit.id);
    requireMatchingVersion(task, edit);
    const { parentId } = edit;
    const planned = planEdit(task, {
      ...toColumnValues(
        { ...edit, ...planTags(task, edit) },
        requireAssigneeMemberNumbers(task, edit, numbers),
      ),
      ...planFieldValueChange(toCustomFields(edit, task, fields), task, fields),
    });
    if (parentId != null || planned.changes.parent === null)
      tree.placeTask({ id: task.id, project: task.project, parentId: parentId ?? null });
    const recurrence = planBulkRecurrence(ctx, series.get(task.id), edit, planned);
    if (recurrence) recurrences.push(recurrence);
    return planned;
  });
  const assertions = [
    assertActiveAssignees(ctx.caller, [...numbers.values()]),
    ...assertContextUnchanged(ctx, fields),
  ];
  return {
    mode,
    name,
    ids,
    items: await dropUnchangedDescriptions(ctx, changed),
    assertions,
    descendants: [],
    checklists: await planChecklists(ctx, edits),
    recurrences,
  };
}

function requireMatchingVersion({ version }: BulkTaskState, { ifVersion }: BulkEditInput) {
  if (ifVersion === undefined || matchesVersion(ifVersion, version)) return;
  throw preconditionFailedError(({ field }) => field('ifVersion'));
}

export const archiveTasksInBulk = createArchiveOperation(
  'archiveTasksInBulk',
  'Archive up to 100 tasks at once',
  1,
);
export const unarchiveTasksInBulk = createArchiveOperation(
  'unarchiveTasksInBulk',
  'Restore up to 100 tasks at once',
  0,
);

function createArchiveOperation(name: string, summary: string, archived: 0 | 1) {
  return defineOperation(
    {
      name,
      summary,
      description:
        'By default, either all tasks are changed or none. With `mode` set to `each`, every task that can be changed is changed, and each of the others has an error in the response. A task that is already in the requested state counts as a success.',
      access: 'tasks:write',
      capability: 'seeTasks',
      effect: 'write',
      input: bulkIdsInput,
      output: bulkResult,
      isMinimal: isMinimalResult,
      replay: { rebuild: (ctx, { ids }, record) => replayBulkRequest(ctx, ids, record) },
    },
    async (ctx, input) => runBulkPlan(ctx, await planBulkArchiving(ctx, input, archived)),
  );
}

export async function planBulkArchiving(
  ctx: Context,
  { mode, ids }: Pick<z.output<typeof bulkIdsInput>, 'mode' | 'ids'>,
  archived: 0 | 1,
  knownDescendants?: readonly DescendantState[],
): Promise<BulkPlan> {
  const given = toIdItems(ids);
  requireAllAccepted(mode, given, getSharedUpdatePath, ids);
  const [tasks, descendants = knownDescendants ?? []] = await ctx.db.batch([
    listTaskStates(ctx.caller, ids, 0),
    ...(knownDescendants ? [] : [listAffectedDescendants(ctx.caller, ids, archived)]),
  ] as const);
  const items = mapItems(given, ({ id }) =>
    planEdit(requireTaskState(tasks, id), { archived }, { allowsArchived: true }),
  );
  return {
    mode,
    name: getSharedUpdatePath,
    ids,
    items,
    assertions: [],
    descendants,
    checklists: [],
    recurrences: [],
  };
}

async function runBulkPlan(ctx: Context, plan: BulkPlan) {
  const { mode, name, items, assertions, descendants, checklists } = plan;
  requireAllAccepted(mode, items, name, plan.ids);
  const edits = getAcceptedValues(items);
  const partStatements = [
    ...buildAcceptedChecklistStatements(ctx, edits, checklists),
    ...buildAcceptedRecurrenceStatements(ctx, edits, plan.recurrences),
  ];
  const writes = await buildEditStatements(ctx, edits, { assertions, descendants, partStatements });
  return writeItems(ctx, items, writes);
}
