import { type AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { COMPLETED_STATUS } from '../../tasks/fields.ts';
import type { BulkTaskState } from '../../tasks/model/bulk-states.queries.ts';
import type { TaskChanges } from '../../tasks/model/change.queries.ts';
import type { SeriesRule } from '../../tasks/recurrence/start-series.ts';
import { REPEATS_AFTER_COMPLETION } from '../../tasks/write/next-tasks.ts';
import type { RecurrenceEdit } from '../../tasks/write/recurrence-edits.ts';
import { getPendingParent } from '../model/fold-items.ts';
import { getStagedRecurrence } from '../model/staged-values.ts';
import type { PendingSet } from '../pending/pending-set.ts';

export function hasStagedSubtasks({ folded }: PendingSet, id: number): boolean {
  return [...folded.tasks.values()].some((task) => getPendingParent(task) === id);
}

/** Archiving a new task would need more statements than a request may send. */
export function newTaskArchivingError(id: number): AppError {
  return invalidRequestError(
    `Task ${id} was created in this change set, so it can't be archived in the same set.`,
  );
}

export function parentArchivingError(id: number): AppError {
  return invalidRequestError(
    `Task ${id} has subtasks, which would be archived or restored with it, so a change set can't include this. Call propose_changes or discard_changes first, or ask a person to make this change.`,
  );
}

/**
 * Completing a task that repeats on completion creates the next task, so an approval can't also change the recurrence.
 */
export function requireSeparateCompletion(
  { folded }: PendingSet,
  task: BulkTaskState,
  { status }: TaskChanges,
  edit: RecurrenceEdit | undefined,
) {
  const staged = folded.tasks.get(task.id);
  const isCompletion = (rule: SeriesRule | null | undefined) => rule?.mode === 'completion';
  const completes = status === COMPLETED_STATUS || staged?.changes.status === COMPLETED_STATUS;
  const changesRecurrence =
    isCompletion(edit?.from) ||
    isCompletion(edit?.to) ||
    (staged?.changes.recurrence !== undefined &&
      (isCompletion(getStagedRecurrence(staged)) || staged.stored?.repeats === REPEATS_AFTER_COMPLETION));
  if (!completes || !changesRecurrence) return;
  throw invalidRequestError(
    `A change set can't both complete task ${task.id} and change its recurrence. Propose one of these changes in another set.`,
  );
}
