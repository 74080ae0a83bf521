import * as z from 'zod';
import { toChanges } from '../../events/feed/events.present.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId, successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { UNDO_MS } from '../../kernel/removals/undo-window.ts';
import { batchByName } from '../../kernel/sql/batch-by-name.ts';
import { indexWaitingTextsAfterResponse } from '../../search/index/index-waiting-texts.ts';
import { mergeValues } from '../custom-fields/field-values.ts';
import { type MemberNumbers, toColumnValues } from '../field-values.ts';
import { listAffectedDescendants } from '../hierarchy/hierarchy.queries.ts';
import { listAffectedTrees, TaskTree } from '../hierarchy/task-tree.ts';
import { listTaskStates } from '../model/bulk-states.queries.ts';
import type { TaskChanges } from '../model/change.queries.ts';
import { taskUpdateInput } from '../model/tasks.schema.ts';
import {
  assertActiveAssignees,
  listMemberNumbers,
  toMemberNumbers,
} from '../operations/task-references.queries.ts';
import { taskName } from '../summaries/summaries.schema.ts';
import { buildEditStatements, getEffectiveChanges } from '../write/edit-task.ts';
import { assertNoNewerEntries, type ChangeEntry, listHistorySince } from './undo.queries.ts';

export const undoTaskChanges = defineOperation(
  {
    name: 'undoTaskChanges',
    summary: 'Undo your latest changes to tasks, unless the tasks have since been changed',
    access: 'session',
    capability: 'seeTasks',
    effect: 'write',
    input: z.strictObject({
      ids: z.array(integerId).min(1).max(100),
      since: z.int(),
    }),
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { ids, since }) => {
    const { caller, db, now } = ctx;
    const [found] = await db.batch([listHistorySince(caller, ids, Math.max(since, now - UNDO_MS))]);
    const changed = findUndoableEntries(found).map(({ task, changes }) => ({
      id: task ?? 0,
      was: parsePreviousValues(changes, 'from'),
      became: parsePreviousValues(changes, 'to'),
    }));
    const people = changed.flatMap(({ was, became }) =>
      [was, became].flatMap(({ assignee, assignees = [] }) =>
        [...(assignee ? [assignee] : []), ...assignees].map(({ id }) => id),
      ),
    );
    const listIdsToSet = (isArchived: boolean) =>
      changed.flatMap(({ id, was }) => (was.isArchived === isArchived ? [id] : []));
    const parents = changed.map(({ id, was }) => ({ id, parentId: was.parentId }));
    const { tasks, members, archived, restored, trees } = await batchByName(db, {
      tasks: listTaskStates(
        caller,
        changed.map(({ id }) => id),
      ),
      members: listMemberNumbers(caller, [...new Set(people)]),
      archived: listAffectedDescendants(caller, listIdsToSet(true), 1),
      restored: listAffectedDescendants(caller, listIdsToSet(false), 0),
      trees: listAffectedTrees(caller, parents),
    });
    const tree = new TaskTree(trees ?? []);
    const numbers = toMemberNumbers(members);
    const edits = tasks.flatMap((task) => {
      const change = changed.find(({ id }) => id === task.id);
      const isAsLeft =
        change &&
        hasNoChanges(getEffectiveChanges(task, toUndoColumns(change.became, change.was, { task, numbers })));
      const changes = isAsLeft
        ? getEffectiveChanges(task, toUndoColumns(change.was, change.became, { task, numbers }))
        : {};
      if (changes.parent !== undefined) tree.placeTask({ ...task, parentId: changes.parent });
      return hasNoChanges(changes) ? [] : [{ task, changes }];
    });
    if (edits.length === 0) {
      throw invalidRequestError(
        "Can't undo this: the tasks have since been changed, or more than 10 minutes have passed.",
      );
    }
    const latest = new Map(found.map(({ task, seq }) => [task ?? 0, seq]));
    const assertions = [
      assertNoNewerEntries(caller, latest),
      assertActiveAssignees(caller, [...numbers.values()]),
    ];
    const writes = await buildEditStatements(ctx, edits, {
      assertions,
      descendants: [...archived, ...restored],
    });
    await db.batch(writes);
    indexWaitingTextsAfterResponse(ctx, writes);
    return { success: true as const };
  },
);

/** Descriptions can't be restored, because the history doesn't contain long text. */
const previousValues = z.object({
  ...taskUpdateInput.omit({
    customFields: true,
    id: true,
    description: true,
    assigneeId: true,
    assigneeIds: true,
    parentId: true,
  }).shape,
  // The name of a copied task can be longer than the input allows.
  name: taskName.optional(),
  assignee: z.object({ id: z.string() }).nullable().optional(),
  assignees: z
    .array(z.object({ id: z.string() }))
    .nullable()
    .optional(),
  isArchived: z.boolean().optional(),
  parent: z.object({ id: z.int() }).nullable().optional(),
  customFields: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.int())]))
    .nullish(),
});
type PreviousValues = Omit<z.output<typeof previousValues>, 'parent' | 'assignees'> & {
  assignees?: readonly { id: string }[];
  parentId?: number | null | undefined;
};

/** Skips tasks that someone else has changed after the caller's first change. */
function findUndoableEntries(entries: readonly ChangeEntry[]): ChangeEntry[] {
  const byTask = [...Map.groupBy(entries, ({ task }) => task).values()];
  return byTask.flatMap((ofTask) => {
    const first = ofTask.findIndex(({ is_own }) => is_own === 1);
    const rest = ofTask.slice(first);
    const isUndoable = first >= 0 && rest.every(({ is_own }) => is_own === 1);
    // Several entries can have the same time if a clock was set back. Only the last of them is undone.
    const entry = rest.findLast(({ occurred_at }) => occurred_at === rest[0]?.occurred_at);
    return entry && isUndoable && UNDOABLE_EVENTS.includes(entry.type) ? [entry] : [];
  });
}

const UNDOABLE_EVENTS = ['task.updated', 'task.archived', 'task.unarchived'];

function parsePreviousValues(changes: string, side: 'from' | 'to'): PreviousValues {
  const changedFields = Object.entries(toChanges(changes));
  const { parent, assignees, ...values } = previousValues.parse(
    Object.fromEntries(changedFields.flatMap(([field, change]) => (change ? [[field, change[side]]] : []))),
  );
  return {
    ...values,
    ...(assignees !== undefined && { assignees: assignees ?? [] }),
    ...(parent !== undefined && { parentId: parent?.id ?? null }),
  };
}

const hasNoChanges = (changes: TaskChanges) => Object.keys(changes).length === 0;

interface UndoContext {
  task: { readonly field_values: string | null };
  numbers: MemberNumbers;
}

/**
 * Keeps the current assignee if the one to restore has left the workspace. Clears the custom fields that only `other`
 * contains. `assignees` is undefined if only the first assignee has changed.
 */
function toUndoColumns(
  { assignee, assignees, customFields, ...values }: PreviousValues,
  other: PreviousValues,
  { task, numbers }: UndoContext,
): TaskChanges {
  const isAssigned = assignee === null || numbers.has(assignee?.id ?? '');
  const people = assignees
    ? { assigneeIds: assignees.map(({ id }) => id) }
    : { ...(isAssigned && { assigneeId: assignee?.id ?? null }) };
  const columns = toColumnValues({ ...values, ...people }, numbers);
  if (customFields === undefined) return columns;
  const cleared = Object.fromEntries(Object.keys(other.customFields ?? {}).map((key) => [key, null]));
  return { ...columns, field_values: mergeValues(task.field_values, { ...cleared, ...customFields }) };
}
