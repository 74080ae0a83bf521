import type { MeetingState } from '../meetings/operations/meetings.queries.ts';
import type { Checklist } from '../tasks/checklists/change-checklist.ts';
import { fields, type MemberNumbers } from '../tasks/field-values.ts';
import type { BulkTaskState } from '../tasks/model/bulk-states.queries.ts';
import type { TaskChanges } from '../tasks/model/change.queries.ts';
import type { RecurrenceRow } from '../tasks/recurrence/recurrences.queries.ts';
import type { OwnEntry } from '../time/tracking/entries.queries.ts';
import type { AppChange, AppComment, HistoryEntry } from './app-activity.queries.ts';
import type { UndoStep } from './app-activity.schema.ts';
import { describeChange, describeField } from './describe-change.ts';
import { describeLaterChange, type LogEntry, TOO_MANY_CHANGES_REASON } from './log-entries.ts';
import { archiveField, planFieldUndo } from './plan-field-undo.ts';
import type { PartStep, Restoration } from './plan-parts-undo.ts';
import type { CurrentRelation } from './plan-relations-undo.ts';
import {
  addPartSteps,
  buildUndoStep,
  listImpossibleSteps,
  type PlannedStep,
  toTaskName,
} from './undo-steps.ts';

const creationTypes: readonly string[] = ['task.created', 'task.duplicated'];

export interface UndoInput {
  readonly changes: readonly AppChange[];
  readonly history: readonly HistoryEntry[];
  readonly tasks: ReadonlyMap<number, BulkTaskState>;
  readonly members: MemberNumbers;
  readonly comments: readonly AppComment[];
  readonly tasksWithOtherSubtasks: ReadonlySet<number>;
  readonly author: number;
  readonly parts: CurrentParts;
}

export interface CurrentParts {
  readonly checklists: ReadonlyMap<number, Checklist>;
  readonly recurrences: ReadonlyMap<number, RecurrenceRow>;
  readonly relations: ReadonlyMap<string, CurrentRelation>;
  readonly entries: ReadonlyMap<number, OwnEntry>;
  readonly meetings: ReadonlyMap<number, MeetingState>;
}

interface TaskPlan {
  readonly steps: PlannedStep[];
  readonly restorations: Restoration[];
  readonly changes: TaskChanges;
  readonly comments: AppComment[];
}

interface TaskUndo {
  readonly task: BulkTaskState;
  readonly changes: readonly AppChange[];
  readonly log: readonly LogEntry[];
  readonly isTruncated: boolean;
  readonly parts: readonly PartStep[];
  readonly runsLeft: number;
  readonly charactersLeft: number;
}

export function planTaskUndo(undo: TaskUndo, input: UndoInput): TaskPlan {
  const { task, changes, log, isTruncated, parts, runsLeft, charactersLeft } = undo;
  const creation = changes.find(({ type }) => creationTypes.includes(type));
  if (creation) {
    const history = input.history.filter((entry) => entry.task === task.id);
    return planCreationUndo(undo, creation, history, input);
  }
  const steps: PlannedStep[] = [];
  const restored: TaskChanges = {};
  const wantsArchived = planFieldUndo(archiveField, task, log, isTruncated, input.members);
  const plans = fields
    .filter(
      (field) => field !== archiveField && log.some((entry) => entry.isOwn && field.name in entry.changes),
    )
    .map((field) => ({ field, plan: planFieldUndo(field, task, log, isTruncated, input.members) }));
  const willRestore = wantsArchived?.outcome === 'undo' && wantsArchived.columns.archived === 0;
  for (const { field, plan } of plans) {
    if (!plan) continue;
    const addStep = (outcome: UndoStep['outcome'], reason: string | null = null) =>
      steps.push({ ...buildUndoStep(task, describeField(field.name), outcome, reason), stage: 'fields' });
    const text = plan.columns.description?.length ?? 0;
    if (plan.outcome !== 'undo') addStep(plan.outcome, plan.reason);
    else if (task.archived === 1 && !willRestore) addStep('kept', 'The task has since been archived.');
    // If this request unarchives the task, a later request restores its fields. Descriptions that exceed this request's
    // limit also wait for a later one.
    else if (willRestore || text > charactersLeft) addStep('later');
    else {
      Object.assign(restored, plan.columns);
      addStep('undo');
    }
  }
  const comments = planNewCommentsUndo(task, changes, log, willRestore, input, steps);
  const restorations = addPartSteps(steps, parts, toTaskName(task), {
    runsLeft,
    isWaiting: willRestore,
    isArchived: task.archived === 1,
  });
  if (wantsArchived) {
    const isLater =
      wantsArchived.outcome === 'undo' &&
      wantsArchived.columns.archived === 1 &&
      (Object.keys(restored).length > 0 ||
        comments.length > 0 ||
        parts.some(({ restoration }) => restoration));
    if (wantsArchived.outcome === 'undo' && !isLater) Object.assign(restored, wantsArchived.columns);
    const outcome = isLater ? 'later' : wantsArchived.outcome;
    steps.push({
      ...buildUndoStep(task, describeField('isArchived'), outcome, wantsArchived.reason),
      stage: 'fields',
    });
  }
  steps.push(...listImpossibleSteps(task, changes, log));
  return { steps, restorations, changes: restored, comments };
}

function planCreationUndo(
  { task, isTruncated, parts }: TaskUndo,
  creation: AppChange,
  history: readonly HistoryEntry[],
  { tasksWithOtherSubtasks }: UndoInput,
): TaskPlan {
  const other = history.find(({ is_own, is_undo }) => is_own === 0 && is_undo === 0);
  const reason = other
    ? describeLaterChange(other.actor)
    : tasksWithOtherSubtasks.has(task.id)
      ? 'The task has subtasks created by others.'
      : isTruncated
        ? TOO_MANY_CHANGES_REASON
        : null;
  const outcome = task.archived === 1 ? 'done' : reason === null ? 'undo' : 'kept';
  const label = describeChange(creation.type);
  const steps: PlannedStep[] = [
    { ...buildUndoStep(task, label, outcome, outcome === 'kept' ? reason : null), stage: 'fields' },
  ];
  // An archived task's time entries still count toward totals, so the undo deletes the entries as well.
  const entries = outcome === 'kept' ? [] : parts.filter(({ restoration }) => restoration?.deletedEntry);
  const restorations = addPartSteps(steps, entries, toTaskName(task), { runsLeft: 0 });
  return {
    steps,
    restorations,
    changes: outcome === 'undo' ? { archived: 1 } : {},
    comments: [],
  };
}

function planNewCommentsUndo(
  task: BulkTaskState,
  changes: readonly AppChange[],
  log: readonly LogEntry[],
  willRestore: boolean,
  { comments }: UndoInput,
  steps: PlannedStep[],
): AppComment[] {
  const deleted: AppComment[] = [];
  for (const { type, entity } of changes) {
    if (type !== 'comment.created') continue;
    const addStep = (outcome: UndoStep['outcome'], reason: string | null = null) =>
      steps.push({ ...buildUndoStep(task, describeChange(type), outcome, reason), stage: 'fields' });
    const comment = comments.find(({ id }) => id === entity);
    const edit = log.findLast(
      (each) => each.type === 'comment.updated' && each.entity === entity && !each.isOwn,
    );
    if (!comment) addStep('done');
    else if (edit) addStep('kept', describeLaterChange(edit.actor));
    else if (willRestore) addStep('later');
    else if (task.archived === 1) addStep('kept', 'The task has since been archived.');
    else {
      deleted.push(comment);
      addStep('undo');
    }
  }
  return deleted;
}
