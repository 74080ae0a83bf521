import { toChanges } from '../events/feed/events.present.ts';
import { fields } from '../tasks/field-values.ts';
import type { BulkTaskState } from '../tasks/model/bulk-states.queries.ts';
import type { TaskChanges } from '../tasks/model/change.queries.ts';
import {
  type AppChange,
  type CommentOfApp,
  ENTRIES_PER_TASK_MAX,
  type HistoryEntry,
} from './app-activity.queries.ts';
import type { UndoStep } from './app-activity.schema.ts';
import { describeChange, describeField } from './describe-change.ts';
import {
  archiveField,
  describeAuthor,
  type LogEntry,
  type Members,
  mergeEntries,
  planField,
  TOO_MANY_CHANGES,
} from './plan-field.ts';

export interface UndoInput {
  /** The oldest first. */
  readonly changes: readonly AppChange[];
  readonly history: readonly HistoryEntry[];
  readonly tasks: ReadonlyMap<number, BulkTaskState>;
  readonly members: Members;
  readonly comments: readonly CommentOfApp[];
  /** New tasks with subtasks that this range didn't create. */
  readonly parentsOfOthers: ReadonlySet<number>;
}

export interface UndoPlan {
  readonly steps: readonly UndoStep[];
  readonly edits: readonly { readonly task: BulkTaskState; readonly changes: TaskChanges }[];
  readonly comments: readonly CommentOfApp[];
  readonly hidden: number;
}

/** More text than this is restored in several parts. */
const TEXT_CHARACTERS_MAX = 1_000_000;
const creations: readonly string[] = ['task.created', 'task.duplicated'];

/**
 * Decides what to restore. A field gets the value that it had before the app's first change after the last change of
 * anyone else. A new task is archived unless someone else has changed it. Earlier undos don't count as changes by others, so
 * a person can undo one part after another.
 */
export function planUndo(input: UndoInput): UndoPlan {
  const byTask = Map.groupBy(input.changes, ({ task }) => task);
  const steps: UndoStep[] = [];
  const edits: { task: BulkTaskState; changes: TaskChanges }[] = [];
  const comments: CommentOfApp[] = [];
  let hidden = 0;
  let room = TEXT_CHARACTERS_MAX;
  for (const [id, changes] of byTask) {
    const task = id === null ? undefined : input.tasks.get(id);
    if (id !== null && !task) {
      hidden += changes.length;
      continue;
    }
    if (!task) {
      steps.push(...changes.map((change) => toImpossibleStep(null, change)));
      continue;
    }
    const planned = planTask(task, changes, input, room);
    steps.push(...planned.steps);
    comments.push(...planned.comments);
    room -= planned.changes.description?.length ?? 0;
    if (Object.keys(planned.changes).length > 0) edits.push({ task, changes: planned.changes });
  }
  return { steps, edits, comments, hidden };
}

interface TaskPlan {
  readonly steps: UndoStep[];
  readonly changes: TaskChanges;
  readonly comments: CommentOfApp[];
}

function planTask(
  task: BulkTaskState,
  changes: readonly AppChange[],
  input: UndoInput,
  room: number,
): TaskPlan {
  const history = input.history.filter((entry) => entry.task === task.id);
  const isTruncated = history.length >= ENTRIES_PER_TASK_MAX;
  const creation = changes.find(({ type }) => creations.includes(type));
  if (creation) return planNewTask(task, creation, history, isTruncated, input);
  const log = mergeEntries(changes, history);
  const steps: UndoStep[] = [];
  const restored: TaskChanges = {};
  const wantsArchived = planField(archiveField, task, log, isTruncated, input.members);
  const plans = fields
    .filter(
      (field) => field !== archiveField && log.some((entry) => entry.isOwn && field.name in entry.changes),
    )
    .map((field) => ({ field, plan: planField(field, task, log, isTruncated, input.members) }));
  const willRestore = wantsArchived?.outcome === 'undo' && wantsArchived.columns.archived === 0;
  for (const { field, plan } of plans) {
    if (!plan) continue;
    const step = (outcome: UndoStep['outcome'], reason: string | null = null) =>
      steps.push({ task: task.id, name: task.name, label: describeField(field.name), outcome, reason });
    const text = plan.columns.description?.length ?? 0;
    if (plan.outcome !== 'undo') step(plan.outcome, plan.reason);
    else if (task.archived === 1 && !willRestore) step('kept', 'The task has been archived since.');
    // An archived task is restored first, and its fields afterwards.
    else if (willRestore || text > room) step('later');
    else {
      Object.assign(restored, plan.columns);
      step('undo');
    }
  }
  const comments = planComments(task, changes, log, willRestore, input, steps);
  if (wantsArchived) {
    const isLater =
      wantsArchived.outcome === 'undo' &&
      wantsArchived.columns.archived === 1 &&
      (Object.keys(restored).length > 0 || comments.length > 0);
    if (wantsArchived.outcome === 'undo' && !isLater) Object.assign(restored, wantsArchived.columns);
    steps.push({
      task: task.id,
      name: task.name,
      label: describeField('isArchived'),
      outcome: isLater ? 'later' : wantsArchived.outcome,
      reason: wantsArchived.reason,
    });
  }
  steps.push(...listImpossibleSteps(task, changes));
  return { steps, changes: restored, comments };
}

function planNewTask(
  task: BulkTaskState,
  creation: AppChange,
  history: readonly HistoryEntry[],
  isTruncated: boolean,
  { parentsOfOthers }: UndoInput,
): TaskPlan {
  const other = history.find(({ is_own, is_undo }) => is_own === 0 && is_undo === 0);
  const reason = other
    ? describeAuthor(other.actor)
    : parentsOfOthers.has(task.id)
      ? 'It has subtasks that others created.'
      : isTruncated
        ? TOO_MANY_CHANGES
        : null;
  const outcome = task.archived === 1 ? 'done' : reason === null ? 'undo' : 'kept';
  const label = describeChange(creation.type);
  return {
    steps: [{ task: task.id, name: task.name, label, outcome, reason: outcome === 'kept' ? reason : null }],
    changes: outcome === 'undo' ? { archived: 1 } : {},
    comments: [],
  };
}

function planComments(
  task: BulkTaskState,
  changes: readonly AppChange[],
  log: readonly LogEntry[],
  willRestore: boolean,
  { comments }: UndoInput,
  steps: UndoStep[],
): CommentOfApp[] {
  const deleted: CommentOfApp[] = [];
  for (const { type, entity } of changes) {
    if (type !== 'comment.created') continue;
    const step = (outcome: UndoStep['outcome'], reason: string | null = null) =>
      steps.push({ task: task.id, name: task.name, label: describeChange(type), outcome, reason });
    const comment = comments.find(({ id }) => id === entity);
    const edit = log.findLast(
      (each) => each.type === 'comment.updated' && each.entity === entity && !each.isOwn,
    );
    if (!comment) step('done');
    else if (edit) step('kept', describeAuthor(edit.actor));
    else if (willRestore) step('later');
    else if (task.archived === 1) step('kept', 'The task has been archived since.');
    else {
      deleted.push(comment);
      step('undo');
    }
  }
  return deleted;
}

/** Leaves out edits of comments that are deleted anyway. */
function listImpossibleSteps(task: BulkTaskState, changes: readonly AppChange[]): UndoStep[] {
  const written = new Set(
    changes.flatMap(({ type, entity }) => (type === 'comment.created' ? [entity] : [])),
  );
  return changes.flatMap((change) => {
    const { type, entity } = change;
    if (type === 'comment.created' || type === 'task.archived' || type === 'task.unarchived') return [];
    if (type.startsWith('comment.') && written.has(entity)) return [];
    if (type !== 'task.updated') return [toImpossibleStep(task, change)];
    const others = Object.keys(toChanges(change.changes)).filter(
      (name) => !fields.some((field) => field.name === name),
    );
    return others.map((name) => ({
      task: task.id,
      name: task.name,
      label: describeField(name),
      outcome: 'impossible' as const,
      reason: "The former value isn't kept.",
    }));
  });
}

function toImpossibleStep(task: BulkTaskState | null, { type }: AppChange): UndoStep {
  return {
    task: task?.id ?? null,
    name: task?.name ?? null,
    label: describeChange(type),
    outcome: 'impossible',
    reason: describeWhyImpossible(type),
  };
}

function describeWhyImpossible(type: string): string {
  if (type.startsWith('attachment.')) return 'Add or delete files on the page of the task.';
  if (type.startsWith('meeting.'))
    return 'The participants were notified. Change or cancel the meeting on its page.';
  if (type.startsWith('time_entry.')) return 'Change your entries under Time.';
  if (type.startsWith('comment.')) return "Former comments aren't kept.";
  return "This can't be undone here.";
}
