import { invalidRequestError } from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import {
  type ChangeAuthor,
  isUnchangedForm,
  requireCurrentSnapshot,
} from '../../kernel/operation/snapshot.ts';
import type { Results, Statement } from '../../kernel/sql/database.ts';
import { NO_DEADLINE } from '../../schema/cell/tasks.ts';
import { toFormValues } from '../field-values.ts';
import {
  ALONG_MAX,
  type AlongState,
  assertArchivedAlong,
  assertParents,
} from '../hierarchy/hierarchy.queries.ts';
import type { BulkTaskState } from '../model/bulk-states.queries.ts';
import type { TaskChanges } from '../model/change.queries.ts';
import { selectTasksById } from '../model/selection.queries.ts';
import { missingDeadlineError, taskNotFoundError, unknownAssigneeError } from '../model/tasks.policy.ts';
import { assertTasksUnchanged, findTaskState, type TaskState } from '../model/tasks.queries.ts';
import { planNextTasks } from './next-tasks.ts';
import { applyTaskEdits, type TaskEdit } from './tasks.write.ts';

interface EditPlan {
  /** Values that equal the current ones are dropped. */
  changes: TaskChanges;
  /** By default, an archived task can't be edited. */
  allowsArchived?: boolean;
  /** Set this if `changes` contains the number of a new assignee. */
  assigneeId?: string | null | undefined;
  /** The values of a form whose fields aren't task fields. */
  form?: { wanted: Record<string, unknown>; current: Record<string, unknown>; madeBy: ChangeAuthor };
  /** Statements that abort the batch if a condition isn't met. */
  claims?: readonly Statement<void>[];
  /** Further statements, sent even if no column changes. */
  also?: readonly Statement<void>[];
  /** The descendants that are archived or restored with the tasks. */
  along?: readonly AlongState[];
}

/** Returns no statements if nothing changes. Throws if the task is archived or not visible, or the form is outdated. */
export async function editTask<const R extends readonly Statement[]>(
  ctx: Context,
  id: number,
  reads: R,
  plan: (task: TaskState, ...found: Results<R>) => EditPlan,
): Promise<Statement<void>[]> {
  const [task, ...found] = await ctx.db.batch([findTaskState(ctx.caller, id), ...reads] as const);
  if (!task) throw taskNotFoundError(id);
  const planned = plan(task, ...(found as unknown as Results<R>));
  const edit = planEdit(task, planned.changes, planned);
  if (Object.keys(ctx.shown).length > 0) {
    const { wanted, current, madeBy } = planned.form ?? toFormSnapshot(edit, planned);
    if (isUnchangedForm(ctx.shown, wanted)) return [];
    requireCurrentSnapshot(ctx.shown, wanted, current, madeBy);
  }
  return buildEditStatements(ctx, [edit], planned);
}

/** Throws if the task is archived. Drops values that are equal to the current ones. */
export function planEdit<T extends TaskState | BulkTaskState>(
  task: T,
  wanted: TaskChanges,
  { allowsArchived = false }: Pick<EditPlan, 'allowsArchived'> = {},
): TaskEdit<T> {
  if (!allowsArchived) requireUnarchived(task);
  return { task, changes: getEffectiveChanges(task, settleDueTime(task, wanted)) };
}

/** The statements abort the batch if a task has changed since it was read, so that no unseen change is overwritten. */
export async function buildEditStatements(
  ctx: Context,
  edits: readonly TaskEdit[],
  { claims = [], also = [], along = [] }: Pick<EditPlan, 'claims' | 'also' | 'along'>,
): Promise<Statement<void>[]> {
  const real = edits.filter(({ changes }) => Object.keys(changes).length > 0);
  if (real.length === 0 && also.length === 0) return [];
  const read = (real.length > 0 ? real : edits).map(({ task }) => task);
  const moved = real.flatMap(({ task, changes }) => (changes.parent ? [task.id] : []));
  const archiving = planArchivingAlong(ctx, real, along);
  const next = await planNextTasks(ctx, real);
  return [
    assertTasksUnchanged(ctx.caller, read),
    ...claims,
    ...archiving.claims,
    ...next.claims,
    // Undo takes the last event of the batch, which must be the one with the fields.
    ...next.records,
    ...(real.length > 0 ? applyTaskEdits(ctx, [...real, ...archiving.edits]) : []),
    ...(moved.length > 0 ? [assertParents(ctx.caller, selectTasksById(moved))] : []),
    ...also,
    ...next.creations,
  ];
}

function planArchivingAlong({ caller }: Context, edits: readonly TaskEdit[], found: readonly AlongState[]) {
  const changes = edits.flatMap(({ task: { id }, changes: { archived } }) =>
    archived === undefined ? [] : [{ id, archived: archived === 1 ? 1 : 0 } as const],
  );
  const claims = ([0, 1] as const).flatMap((archived) => {
    const ids = changes.filter((change) => change.archived === archived).map(({ id }) => id);
    const along = found.filter(({ top }) => ids.includes(top));
    return ids.length === 0 ? [] : [assertArchivedAlong(caller, { ids, archived, along })];
  });
  const along = found.flatMap((task) => {
    const change = changes.find(({ id }) => id === task.top);
    const archivedWith = change?.archived === 1 ? task.top : null;
    return change ? [{ task, changes: { archived: change.archived, archived_with: archivedWith } }] : [];
  });
  if (found.length > ALONG_MAX) {
    throw invalidRequestError(
      `These tasks have more than ${ALONG_MAX} subtasks, which have the same archived state. Send fewer tasks at once.`,
      ({ field }) => field('ids'),
    );
  }
  return { claims, edits: along };
}

function toFormSnapshot(
  { task, changes }: TaskEdit<TaskState>,
  { assigneeId = task.assignee_id }: EditPlan,
): NonNullable<EditPlan['form']> {
  return {
    wanted: toFormValues({ ...hideParent(task), ...changes, assignee_id: assigneeId }),
    current: toFormValues(hideParent(task)),
    madeBy: { type: 'task.updated', id: task.id },
  };
}

/** A due time needs a deadline, and is cleared with it. */
function settleDueTime(task: TaskState | BulkTaskState, wanted: TaskChanges): TaskChanges {
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

/**
 * Returns 0 for an unassigned task. `member` is the workspace number of the person, if they are a member. Throws 400
 * for a former member, who can keep tasks but get no new ones.
 */
export function requireAssigneeNumber(
  task: Pick<TaskState, 'assignee' | 'assignee_id'>,
  userId: string | null | undefined,
  member: number | undefined,
): number {
  if (userId === task.assignee_id) return task.assignee;
  if (userId && member === undefined) throw unknownAssigneeError(userId);
  return member ?? 0;
}

export function getEffectiveChanges(task: TaskState | BulkTaskState, wanted: TaskChanges): TaskChanges {
  const shown = hideParent(task);
  return Object.fromEntries(
    Object.entries(wanted).filter(([column, value]) => value !== shown[column as keyof TaskChanges]),
  );
}

/** Responses show a hidden parent as null, so sending back that null must not remove it. */
function hideParent<T extends TaskState | BulkTaskState>(task: T): T {
  return task.is_parent_hidden === 1 ? { ...task, parent: null } : task;
}
