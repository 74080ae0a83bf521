// This file is long because planning an edit and building its statements depend on each other.
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import {
  type ChangeAuthor,
  isUnchangedForm,
  requireCurrentSnapshot,
} from '../../kernel/operation/snapshot.ts';
import { batchByName, type NamedResults, type NamedStatements } from '../../kernel/sql/batch-by-name.ts';
import { combineAssertions, type SQL, type Statement } from '../../kernel/sql/database.ts';
import { NO_DEADLINE } from '../../schema/cell/tasks.ts';
import {
  type AssigneeInput,
  listAssigneeNumbers,
  type MemberNumbers,
  splitAssignees,
  toFormValues,
} from '../field-values.ts';
import {
  AFFECTED_DESCENDANTS_MAX,
  assertAffectedDescendants,
  assertValidParents,
  type DescendantState,
} from '../hierarchy/hierarchy.queries.ts';
import type { BulkTaskState } from '../model/bulk-states.queries.ts';
import type { TaskChanges } from '../model/change.queries.ts';
import { isSubtask, type TaskDraft } from '../model/insert.queries.ts';
import { selectEarlierNewTasks, selectFirstNewId, selectTasksById } from '../model/selection.queries.ts';
import { missingDeadlineError, taskNotFoundError, unknownAssigneeError } from '../model/tasks.policy.ts';
import { assertTasksUnchanged, findTaskState, type TaskState } from '../model/tasks.queries.ts';
import { planNextTasks } from './next-tasks.ts';
import {
  applyTaskEdits,
  createTasks,
  type TaskEdit,
  toRecurrenceEvents,
  updateRecurringTasks,
} from './tasks.write.ts';

interface EditPlan {
  /** Values that equal the current ones are dropped. */
  changes: TaskChanges;
  allowsArchived?: boolean;
  /** Required if `changes` contains new assignees. */
  people?: MemberNumbers;
  /** For a form whose fields aren't task fields, the values to compare with the form's snapshot. */
  form?: { wanted: Record<string, unknown>; current: Record<string, unknown>; madeBy: ChangeAuthor };
  assertions?: readonly Statement<void>[];
  /** Statements that change checklists and recurrences. The next task in a series copies the result. */
  partStatements?: readonly Statement<void>[];
  /** Further statements. Like `partStatements`, they are sent even if no column changes. */
  extraStatements?: readonly Statement<void>[];
  descendants?: readonly DescendantState[];
  /** Tasks that the same batch creates, so that edits can move tasks under them. */
  creation?: Creation;
  /** How many tokens the statements may index, if the batch also indexes other texts. */
  tokensMax?: number | undefined;
}

interface Creation {
  readonly drafts: readonly TaskDraft[];
  /** Statements that need the ids of the new tasks, which are consecutive. `first` selects the first one. */
  readonly record: (first: SQL) => readonly Statement<void>[];
}

/**
 * Returns no statements if nothing changes. Throws if the task isn't visible, if the form is outdated, or if the task
 * is archived and the plan doesn't set `allowsArchived`.
 */
export async function prepareTaskEdit<const R extends NamedStatements>(
  ctx: Context,
  id: number,
  reads: R,
  plan: (task: TaskState, found: NamedResults<R>) => EditPlan,
): Promise<Statement<void>[]> {
  const statements = { task: findTaskState(ctx.caller, id), ...reads };
  const found = (await batchByName(ctx.db, statements)) as { task: TaskState | null } & NamedResults<R>;
  const { task } = found;
  if (!task) throw taskNotFoundError(id);
  const planned = plan(task, found);
  const edit = planEdit(task, planned.changes, planned);
  if (Object.keys(ctx.snapshot).length > 0) {
    const { wanted, current, madeBy } = planned.form ?? toFormSnapshot(edit, planned);
    if (isUnchangedForm(ctx.snapshot, wanted)) return [];
    requireCurrentSnapshot(ctx.snapshot, wanted, current, madeBy);
  }
  return buildEditStatements(ctx, [edit], planned);
}

export function planEdit<T extends TaskState | BulkTaskState>(
  task: T,
  wanted: TaskChanges,
  { allowsArchived = false }: Pick<EditPlan, 'allowsArchived'> = {},
): TaskEdit<T> {
  if (!allowsArchived) requireUnarchived(task);
  return { task, changes: getEffectiveChanges(task, clearDueTimeWithoutDeadline(task, wanted)) };
}

/** The statements abort the batch if a task has changed since it was read. */
export async function buildEditStatements(
  ctx: Context,
  edits: readonly TaskEdit[],
  {
    assertions = [],
    partStatements = [],
    extraStatements = [],
    descendants = [],
    creation = { drafts: [], record: () => [] },
    tokensMax,
  }: Pick<
    EditPlan,
    'assertions' | 'partStatements' | 'extraStatements' | 'descendants' | 'creation' | 'tokensMax'
  >,
): Promise<Statement<void>[]> {
  const real = edits.filter(({ changes }) => Object.keys(changes).length > 0);
  const created = creation.drafts;
  if (real.length + created.length + partStatements.length + extraStatements.length === 0) return [];
  const read = (real.length > 0 ? real : edits).map(({ task }) => task);
  const moved = real.flatMap(({ task, changes }) => (changes.parent ? [task.id] : []));
  const archiving = planDescendantArchiving(ctx, real, descendants);
  const { ended, drafts: nextDrafts, ...next } = await planNextTasks(ctx, real);
  const drafts = [...created, ...nextDrafts.map((draft) => moveParentDraft(draft, created.length))];
  const afterCreation = creation.record(selectFirstNewId(drafts.length));
  const newTasks = selectEarlierNewTasks(drafts.length, nextDrafts.length);
  // An undo reverts the batch's last event, so the event with the changed fields must come last.
  const recorded = ended.length > 0 ? [toRecurrenceEvents(ended)] : [];
  return [
    ...combineAssertions([
      assertTasksUnchanged(ctx.caller, read),
      ...assertions,
      ...archiving.assertions,
      ...next.assertions,
    ]),
    ...partStatements,
    ...(real.length > 0
      ? applyTaskEdits(ctx, [...real, ...archiving.edits], { drafts, afterCreation, recorded, tokensMax })
      : created.length > 0
        ? createTasks(ctx, created, tokensMax, afterCreation)
        : []),
    ...updateRecurringTasks(ctx, ended),
    ...combineAssertions([
      ...(created.some(isSubtask) ? [assertValidParents(ctx.caller, newTasks)] : []),
      ...(moved.length > 0 ? [assertValidParents(ctx.caller, selectTasksById(moved))] : []),
      ...next.finalAssertions,
    ]),
    ...next.followUpStatements,
    ...extraStatements,
  ];
}

function moveParentDraft(draft: TaskDraft, by: number): TaskDraft {
  return draft.parent_draft === undefined ? draft : { ...draft, parent_draft: draft.parent_draft + by };
}

function planDescendantArchiving(
  { caller }: Context,
  edits: readonly TaskEdit[],
  found: readonly DescendantState[],
) {
  const changes = edits.flatMap(({ task: { id }, changes: { archived } }) =>
    archived === undefined ? [] : [{ id, archived: archived === 1 ? 1 : 0 } as const],
  );
  const assertions = ([0, 1] as const).flatMap((archived) => {
    const ids = changes.filter((change) => change.archived === archived).map(({ id }) => id);
    const descendants = found.filter(({ top }) => ids.includes(top));
    return ids.length === 0 ? [] : [assertAffectedDescendants(caller, { ids, archived, descendants })];
  });
  const descendants = found.flatMap((task) => {
    const change = changes.find(({ id }) => id === task.top);
    const archivedWith = change?.archived === 1 ? task.top : null;
    return change ? [{ task, changes: { archived: change.archived, archived_with: archivedWith } }] : [];
  });
  if (found.length > AFFECTED_DESCENDANTS_MAX) {
    throw invalidRequestError(
      `These tasks have more than ${AFFECTED_DESCENDANTS_MAX} subtasks, which are archived and restored with them. Send fewer tasks at once.`,
      ({ field }) => field('ids'),
    );
  }
  return { assertions, edits: descendants };
}

function toFormSnapshot(
  { task, changes }: TaskEdit<TaskState>,
  { people = new Map() }: EditPlan,
): NonNullable<EditPlan['form']> {
  const shown = hideInvisibleParent(task);
  const wanted = { ...shown, ...changes };
  const ids = new Map([...people, ...listCurrentAssignees(task)].map(([userId, no]) => [no, userId]));
  const wantedIds = listAssigneeNumbers(wanted).flatMap((no) => ids.get(no) ?? []);
  return {
    wanted: toFormValues(wanted, wantedIds),
    current: toFormValues(shown, listAssigneeIds(task)),
    madeBy: { type: 'task.updated', id: task.id },
  };
}

/** A task without a deadline can't have a due time, so removing the deadline also clears the time. */
function clearDueTimeWithoutDeadline(task: TaskState | BulkTaskState, wanted: TaskChanges): TaskChanges {
  if ((wanted.due ?? task.due) !== NO_DEADLINE) return wanted;
  if (wanted.due_time != null) throw missingDeadlineError(wanted.due_time);
  return task.due_time === null ? wanted : { ...wanted, due_time: null };
}

/** See docs/contract.md#archived-tasks. */
export function requireUnarchived(task: { id: number; archived: number }) {
  if (task.archived === 0) return;
  throw invalidRequestError(
    ({ call }) =>
      `Task ${task.id} is archived and read-only. Restore it first with ${call('unarchiveTask', { id: task.id })}.`,
  );
}

type AssigneeState = Pick<TaskState, 'assignee' | 'assignee_id' | 'other_assignees' | 'other_assignee_ids'>;

export function listAssigneeIds(task: Pick<AssigneeState, 'assignee_id' | 'other_assignee_ids'>): string[] {
  return task.assignee_id === null
    ? []
    : [task.assignee_id, ...(JSON.parse(task.other_assignee_ids) as string[])];
}

function listCurrentAssignees(task: AssigneeState): [userId: string, no: number][] {
  const numbers = listAssigneeNumbers(task);
  return listAssigneeIds(task).map((userId, index) => [userId, numbers[index] ?? 0]);
}

export function listRequestedAssignees({ assigneeId, assigneeIds = [] }: AssigneeInput): string[] {
  return [...new Set([...(assigneeId ? [assigneeId] : []), ...assigneeIds])];
}

/**
 * Throws 400 if a new assignee isn't a member. Former members can keep tasks but not get new ones.
 * @param members the people in the input who are members of the workspace.
 */
export function requireAssigneeMemberNumbers(
  task: AssigneeState,
  input: AssigneeInput,
  members: MemberNumbers,
): MemberNumbers {
  const known = new Map([...members, ...listCurrentAssignees(task)]);
  const unknown = listRequestedAssignees(input).find((userId) => !known.has(userId));
  if (unknown !== undefined)
    throw unknownAssigneeError(unknown, input.assigneeIds ? 'assigneeIds' : 'assigneeId');
  return known;
}

export function getEffectiveChanges(task: TaskState | BulkTaskState, wanted: TaskChanges): TaskChanges {
  const shown = hideInvisibleParent(task);
  return Object.fromEntries(
    Object.entries({ ...wanted, ...planAssignees(task, wanted) }).filter(
      ([column, value]) => value !== shown[column as keyof TaskChanges],
    ),
  );
}

/**
 * If only the first assignee changes, the others are kept. If the first assignee is removed, the next one becomes the
 * first.
 */
function planAssignees(
  task: Pick<AssigneeState, 'assignee' | 'other_assignees'>,
  { assignee, other_assignees }: TaskChanges,
): TaskChanges {
  if (assignee === undefined && other_assignees === undefined) return {};
  const others = JSON.parse(other_assignees ?? task.other_assignees) as number[];
  return splitAssignees([assignee ?? task.assignee, ...others]);
}

/**
 * In responses, the parent is null if the caller can't see it. A client that sends this null back must not remove the
 * parent.
 */
function hideInvisibleParent<T extends TaskState | BulkTaskState>(task: T): T {
  return task.is_parent_hidden === 1 ? { ...task, parent: null } : task;
}
