import type * as z from 'zod';
import type { Context } from '../../kernel/operation/operation.ts';
import { isProvisionalId } from '../../kernel/operation/provisional-ids.ts';
import { readFromTables, selectIdsInOrder, WriteConflictError } from '../../kernel/sql/database.ts';
import { toDescriptionKey } from '../../search/index/search-key.ts';
import {
  agentEditInput,
  type agentUpdateInput,
  type bulkCreateInput,
  type bulkIdsInput,
} from '../../tasks/bulk/bulk.schema.ts';
import { buildTaskDrafts } from '../../tasks/bulk/create.ts';
import {
  type BulkItem,
  createFieldPathBuilder,
  getAcceptedValues,
  mapItems,
  parseItems,
  requireAllAccepted,
  toBulkResult,
} from '../../tasks/bulk/items.ts';
import { previewDrafts, previewEdits } from '../../tasks/bulk/preview.ts';
import { type BulkEdit, type BulkPlan, planBulkArchiving, planBulkUpdate } from '../../tasks/bulk/update.ts';
import type { Checklist } from '../../tasks/checklists/change-checklist.ts';
import type { TreeRow } from '../../tasks/hierarchy/hierarchy.queries.ts';
import { listAffectedDescendants } from '../../tasks/hierarchy/hierarchy.queries.ts';
import type { TaskChanges } from '../../tasks/model/change.queries.ts';
import type { TaskDraft } from '../../tasks/model/insert.queries.ts';
import { toTaskDetail } from '../../tasks/model/tasks.present.ts';
import { listTaskDetails } from '../../tasks/model/tasks.queries.ts';
import { taskCreateInput } from '../../tasks/model/tasks.schema.ts';
import { listRecurrences } from '../../tasks/recurrence/recurrences.queries.ts';
import type { RecurrenceEdit } from '../../tasks/write/recurrence-edits.ts';
import type { NewItem } from '../model/change-sets.queries.ts';
import { toProvisionalId } from '../model/limits.ts';
import {
  type StagedColumn,
  type StagedValues,
  type StoredParts,
  serializeChecklist,
  serializeRecurrence,
  toDescriptionFingerprint,
  toStagedValues,
} from '../model/staged-values.ts';
import { createPendingContext, type PendingSet, readOpenSet } from '../pending/pending-set.ts';
import { readPendingTree } from '../pending/pending-trees.ts';
import { type AffectedTasks, stageItems } from './stage-items.ts';
import {
  hasStagedSubtasks,
  newTaskArchivingError,
  parentArchivingError,
  requireSeparateCompletion,
} from './staging-rules.ts';

export async function stageCreates(
  ctx: Context,
  { mode, tasks, descriptionFormat }: z.output<typeof bulkCreateInput>,
) {
  const pending = await readOpenSet(ctx);
  const trees = await readPendingTree(
    ctx,
    pending,
    getAcceptedValues(parseItems(taskCreateInput, tasks)).map(omitId),
  );
  const { items: drafts } = await buildTaskDrafts(ctx, mode, tasks, descriptionFormat, trees?.tree);
  let no = pending.set.items;
  const staged = mapItems(drafts, (draft) => {
    no += 1;
    return toCreateItem(no, toProvisionalId(pending.set.id, no), draft);
  });
  requireAllAccepted(mode, staged, createFieldPathBuilder('tasks'));
  return stageTasks(
    ctx,
    pending,
    mapItems(staged, (item) => ({ id: item.task, item })),
    { trees: trees?.trees },
  );
}

export async function previewStagedCreates(ctx: Context, input: z.output<typeof bulkCreateInput>) {
  const parsed = getAcceptedValues(parseItems(taskCreateInput, input.tasks));
  const trees = await readPendingTree(ctx, await readOpenSet(ctx), parsed.map(omitId));
  return previewDrafts(ctx, input, trees?.tree);
}

const omitId = ({ parentId }: { parentId?: number | null | undefined }) => ({ parentId });

export async function stageUpdates(ctx: Context, input: z.output<typeof agentUpdateInput>) {
  const { pending, trees, pendingCtx } = await preparePendingUpdate(ctx, input);
  return stageEdits(
    ctx,
    pending,
    await planBulkUpdate(pendingCtx, input, agentEditInput, trees?.tree),
    trees?.trees,
  );
}

export async function previewStagedUpdates(ctx: Context, input: z.output<typeof agentUpdateInput>) {
  const { trees, pendingCtx } = await preparePendingUpdate(ctx, input);
  return previewEdits(pendingCtx, input, trees?.tree);
}

async function preparePendingUpdate(ctx: Context, { ids, set, updates }: z.output<typeof agentUpdateInput>) {
  const raw = updates ?? (ids ?? []).map((id) => ({ ...set, id }));
  const edits = getAcceptedValues(parseItems(agentEditInput, raw));
  const pending = await readOpenSet(ctx);
  return {
    pending,
    trees: await readPendingTree(ctx, pending, edits),
    pendingCtx: createPendingContext(
      ctx,
      pending,
      edits.map(({ id }) => id),
    ),
  };
}

/** Also reads the stored descendants, because tasks with subtasks can't be archived in a change set. */
export function stageArchiving(archived: 0 | 1) {
  return async (ctx: Context, input: z.output<typeof bulkIdsInput>) => {
    const pending = await readOpenSet(ctx);
    const [descendants] = await ctx.db.batch([listAffectedDescendants(ctx.caller, input.ids, archived)]);
    const plan = await planBulkArchiving(
      createPendingContext(ctx, pending, input.ids),
      input,
      archived,
      descendants,
    );
    return stageEdits(ctx, pending, plan);
  };
}

async function stageEdits(ctx: Context, pending: PendingSet, plan: BulkPlan, trees?: readonly TreeRow[]) {
  const { mode, name, items, checklists, recurrences, descendants } = plan;
  requireAllAccepted(mode, items, name);
  let no = pending.set.items;
  const replaced = new Map<number, Checklist>();
  const found = await readStoredRecurrences(ctx, recurrences);
  const accepted = getAcceptedValues(items);
  const staged = mapItems(items, ({ task, changes }: BulkEdit) => {
    const checklist = checklists.find((edit) => edit.task === task.id);
    const recurrence = recurrences.find((edit) => edit.task === task.id);
    requireSeparateCompletion(pending, task, changes, recurrence);
    if (Object.keys(changes).length === 0 && !checklist && !recurrence) return { id: task.id, item: null };
    if (changes.archived !== undefined && isProvisionalId(task.id)) throw newTaskArchivingError(task.id);
    const isParent =
      changes.archived !== undefined &&
      (descendants.some(({ top }) => top === task.id) ||
        accepted.some((each) => each.task.parent === task.id) ||
        hasStagedSubtasks(pending, task.id));
    if (isParent) throw parentArchivingError(task.id);
    no += 1;
    const stored = isProvisionalId(task.id) ? null : (pending.state.tasks.get(task.id) ?? task);
    const before = pending.state.checklists.get(task.id) ?? checklist?.before;
    if (stored && before) replaced.set(task.id, before);
    const series = found.get(task.id);
    const parts = {
      ...(checklist && { checklist: serializeChecklist(checklist.after.lines) }),
      ...(recurrence && { recurrence: serializeRecurrence(recurrence.to) }),
    };
    const storedParts = { stored, checklist: before, recurrence: series };
    return { id: task.id, item: toEditItem(no, task.id, { ...changes, ...parts }, storedParts) };
  });
  requireAllAccepted(mode, staged, name);
  const touched = accepted.flatMap(({ task }) => (isProvisionalId(task.id) ? [] : [task]));
  return stageTasks(ctx, pending, staged, { touched, checklists: replaced, recurrences: found, trees });
}

async function readStoredRecurrences({ db, caller }: Context, edits: readonly RecurrenceEdit[]) {
  const ids = edits.map(({ task }) => task).filter((id) => !isProvisionalId(id));
  const [rows] = ids.length > 0 ? await db.batch([listRecurrences(caller, ids)]) : [[]];
  return new Map(rows.map((row) => [row.id, row]));
}

interface StagedTask {
  readonly id: number;
  readonly item: NewItem | null;
}

const INLINE_DESCRIPTION_BYTES_MAX = 1_000;

async function stageTasks(
  ctx: Context,
  pending: PendingSet,
  staged: readonly BulkItem<StagedTask>[],
  { touched = [], checklists = new Map(), recurrences = new Map(), trees }: Omit<AffectedTasks, 'read'> = {},
) {
  const tasks = getAcceptedValues(staged);
  const ids = tasks.map(({ id }) => id);
  const { writes, tables } = stageItems(
    ctx,
    pending,
    tasks.flatMap(({ item }) => item ?? []),
    { touched, checklists, recurrences, trees, read: ids },
  );
  const [rows] = await ctx.db.writeThenRead(writes, [
    readFromTables(listTaskDetails(ctx.caller, selectIdsInOrder(ids), INLINE_DESCRIPTION_BYTES_MAX), tables),
  ]);
  const shown = new Map(rows.map((row) => [row.id, toTaskDetail(row, [], [])]));
  const results = mapItems(staged, ({ id }) => ({ task: shown.get(id) ?? throwInvisibleTaskError(id) }));
  return toBulkResult(results, ctx.words);
}

function toCreateItem(
  no: number,
  task: number,
  { description, checklist, recurrence, repeats: _, ...values }: TaskDraft,
): NewItem {
  const changes = {
    ...values,
    ...(checklist && { checklist: serializeChecklist(checklist) }),
    ...(recurrence && { recurrence: serializeRecurrence(recurrence) }),
    ...(description !== null && { description: toDescriptionFingerprint(description) }),
  };
  return { no, task, operation: 'create', version: null, changes, before: {}, ...toTextColumns(description) };
}

function toEditItem(
  no: number,
  task: number,
  given: TaskChanges & Pick<StagedValues, 'checklist' | 'recurrence'>,
  parts: StoredParts,
): NewItem {
  const { description, ...values } = given;
  const changes: StagedValues = {
    ...values,
    ...(description !== undefined && { description: toDescriptionFingerprint(description) }),
  };
  const current = toStagedValues(parts);
  const columns = Object.keys(changes) as StagedColumn[];
  const before: StagedValues = Object.fromEntries(columns.map((column) => [column, current[column]]));
  const version = parts.stored?.version ?? null;
  return { no, task, operation: 'edit', version, changes, before, ...toTextColumns(description ?? null) };
}

function toTextColumns(description: string | null): Pick<NewItem, 'text' | 'textKey'> {
  return {
    text: description,
    textKey: description === null ? null : toDescriptionKey(description),
  };
}

function throwInvisibleTaskError(id: number): never {
  throw new WriteConflictError(`the caller lost access to task ${id} while its change was being staged`);
}
