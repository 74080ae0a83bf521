import { AppError } from '../../kernel/errors/errors.ts';
import { isProvisionalId } from '../../kernel/operation/provisional-ids.ts';
import type { Checklist } from '../../tasks/checklists/change-checklist.ts';
import { COMMENTS_PER_TASK_MAX } from '../../tasks/comments/comments.policy.ts';
import { listAssigneeNumbers, splitAssignees } from '../../tasks/field-values.ts';
import type { TreeRow } from '../../tasks/hierarchy/hierarchy.queries.ts';
import { TaskTree } from '../../tasks/hierarchy/task-tree.ts';
import type { BulkTaskState } from '../../tasks/model/bulk-states.queries.ts';
import type { RecurrenceRow } from '../../tasks/recurrence/recurrences.queries.ts';
import { type StagedColumn, type StagedValues, type StoredParts, toStagedValues } from './staged-values.ts';

export interface StagedItem {
  readonly no: number;
  readonly task: number;
  readonly operation: 'create' | 'edit' | 'comment' | 'time';
  readonly version: number | null;
  readonly changes: StagedValues;
  readonly before: StagedValues;
}

export interface StoredState {
  readonly tasks: ReadonlyMap<number, BulkTaskState>;
  /** The ids of the projects that new tasks belong to, if the caller can see them. */
  readonly projects: ReadonlySet<number>;
  /** The numbers of the new assignees who are active members. */
  readonly members: ReadonlySet<number>;
  /** The ids of tasks that can't be archived or restored, because that would also affect their subtasks. */
  readonly parents: ReadonlySet<number>;
  readonly checklists: ReadonlyMap<number, Checklist>;
  readonly recurrences: ReadonlyMap<number, RecurrenceRow>;
  /** The task and parent comment of each staged comment, by item number. */
  readonly commentTargets: ReadonlyMap<number, CommentTarget>;
  /** The numbers of the items whose time overlaps the person's other time entries. */
  readonly overlapping: ReadonlySet<number>;
  /** The trees of the tasks that get another parent, and of their new parents. */
  readonly trees: readonly TreeRow[];
}

export interface CommentTarget {
  /** How many comments the task already has. */
  readonly comments: number;
  /** The comment to reply to, if it still exists. */
  readonly parent: number | null;
}

export type ItemProblem =
  | {
      readonly kind:
        | 'task'
        | 'archived'
        | 'project'
        | 'member'
        | 'new-task'
        | 'parent'
        | 'new-parent'
        | 'reply'
        | 'comments'
        | 'time';
    }
  | { readonly kind: 'changed'; readonly column: StagedColumn }
  | { readonly kind: 'placement'; readonly error: AppError };

export interface FoldedTask {
  readonly id: number;
  readonly stored: BulkTaskState | null;
  readonly checklist: Checklist | null;
  readonly recurrence: RecurrenceRow | null;
  /** The values that differ from the stored task, or all values if the task is new. */
  changes: StagedValues;
  description: number | null;
  /** The numbers of the items that add comments. */
  readonly comments: number[];
}

interface StagedTimeEntry {
  readonly no: number;
  readonly task: number;
  readonly stored: BulkTaskState | null;
  readonly started_at: number;
  readonly ended_at: number;
}

export interface FoldedItems {
  readonly tasks: ReadonlyMap<number, FoldedTask>;
  readonly timeEntries: readonly StagedTimeEntry[];
  readonly problems: ReadonlyMap<number, ItemProblem>;
  /** The values that each item replaces, keyed by item number. A replaced value can come from an earlier item. */
  readonly replaced: ReadonlyMap<number, StagedValues>;
}

/**
 * Applies staged items to the stored tasks, in order. Reads and approvals both use the result, so an app sees
 * exactly what an approval would do. Items that would overwrite a later change are skipped.
 */
export function foldItems(items: readonly StagedItem[], state: StoredState): FoldedItems {
  const tasks = new Map<number, FoldedTask>();
  const problems = new Map<number, ItemProblem>();
  const replaced = new Map<number, StagedValues>();
  const timeEntries: StagedTimeEntry[] = [];
  const tree = new TaskTree(state.trees);
  for (const item of items) {
    const stored = state.tasks.get(item.task) ?? null;
    const checklist = state.checklists.get(item.task) ?? null;
    const recurrence = state.recurrences.get(item.task) ?? null;
    const folded = tasks.get(item.task) ?? {
      id: item.task,
      stored,
      checklist,
      recurrence,
      changes: {},
      description: null,
      comments: [],
    };
    const problem = findItemProblem(item, folded, state) ?? placeTask(tree, item, folded, tasks);
    replaced.set(item.no, pickReplacedValues(toStagedValues(folded), folded.changes, item.changes));
    if (problem) {
      problems.set(item.no, problem);
      continue;
    }
    if (item.operation === 'time') {
      const { no, task, changes } = item;
      const [started_at, ended_at] = [Number(changes.started_at), Number(changes.ended_at)];
      timeEntries.push({ no, task, stored, started_at, ended_at });
      continue;
    }
    tasks.set(item.task, folded);
    if (item.operation === 'comment') {
      folded.comments.push(item.no);
      continue;
    }
    if (item.operation === 'create') tree.addTask(item.task, Number(item.changes.project));
    if (item.changes.archived !== undefined) tree.setArchived(item.task, Number(item.changes.archived));
    Object.assign(folded.changes, item.changes);
    Object.assign(folded.changes, recomputeAssignees(folded));
    if (item.changes.description !== undefined)
      folded.description = item.changes.description === null ? null : item.no;
  }
  for (const [id, folded] of tasks) {
    folded.changes = dropStoredValues(folded);
    if (folded.changes.description === undefined) folded.description = null;
    if (Object.keys(folded.changes).length === 0 && folded.comments.length === 0) tasks.delete(id);
  }
  return { tasks, timeEntries, problems, replaced };
}

function placeTask(
  tree: TaskTree,
  { operation, task: id, changes }: StagedItem,
  { stored, changes: folded }: FoldedTask,
  tasks: ReadonlyMap<number, FoldedTask>,
): ItemProblem | null {
  const { parent } = changes;
  if (parent === undefined || (operation === 'create' && parent === null)) return null;
  const parentId = parent === null ? null : Number(parent);
  if (parentId !== null && isProvisionalId(parentId) && !tasks.has(parentId)) return { kind: 'new-parent' };
  const project = Number(stored?.project ?? folded.project ?? changes.project);
  try {
    tree.placeTask({ id, project, parentId });
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'placement', error };
  }
}

export function getPendingParent({ stored, changes }: Pick<FoldedTask, 'stored' | 'changes'>): number | null {
  const { parent = stored?.parent ?? null } = changes;
  return parent === null ? null : Number(parent);
}

/** Recomputes both assignee columns, because an item may change one column while someone else changes the other. */
function recomputeAssignees({ stored, changes }: FoldedTask): StagedValues {
  if (changes.assignee === undefined && changes.other_assignees === undefined) return {};
  const assignee = Number(changes.assignee ?? stored?.assignee ?? 0);
  const others = JSON.parse(String(changes.other_assignees ?? stored?.other_assignees ?? '[]')) as number[];
  return splitAssignees([assignee, ...others]);
}

export function listNewAssignees({ stored, changes }: Pick<FoldedTask, 'stored' | 'changes'>): number[] {
  const { assignee = 0, other_assignees: others = '[]' } = changes;
  const known = stored ? listAssigneeNumbers(stored) : [];
  const named = [Number(assignee), ...(JSON.parse(String(others)) as number[])];
  return named.filter((no) => no > 0 && !known.includes(no));
}

function findItemProblem(item: StagedItem, folded: FoldedTask, state: StoredState): ItemProblem | null {
  const { operation, changes } = item;
  const { stored } = folded;
  const isUnknownMember = listNewAssignees({ stored, changes }).some((no) => !state.members.has(no));
  if (operation === 'create') {
    if (!state.projects.has(Number(changes.project))) return { kind: 'project' };
    return isUnknownMember ? { kind: 'member' } : null;
  }
  if (item.version === null && folded.changes.name === undefined) return { kind: 'new-task' };
  if (item.version !== null && stored === null) return { kind: 'task' };
  const isArchived = (folded.changes.archived ?? stored?.archived ?? 0) === 1;
  if (isArchived && changes.archived === undefined) return { kind: 'archived' };
  if (operation === 'comment') return findCommentProblem(item, folded, state);
  if (operation === 'time') return state.overlapping.has(item.no) ? { kind: 'time' } : null;
  if (changes.archived !== undefined && state.parents.has(item.task)) return { kind: 'parent' };
  const column = stored && findChangedColumn(item, stored, folded);
  if (column) return { kind: 'changed', column };
  return isUnknownMember ? { kind: 'member' } : null;
}

function findCommentProblem(
  { no, changes }: StagedItem,
  { comments }: FoldedTask,
  { commentTargets }: StoredState,
): ItemProblem | null {
  const target = commentTargets.get(no);
  if (changes.reply_to !== undefined && target?.parent == null) return { kind: 'reply' };
  return (target?.comments ?? 0) + comments.length < COMMENTS_PER_TASK_MAX ? null : { kind: 'comments' };
}

function findChangedColumn(
  item: StagedItem,
  stored: BulkTaskState,
  parts: StoredParts,
): StagedColumn | undefined {
  const values = toStagedValues({ ...parts, stored });
  const isSameVersion = item.version === stored.version;
  // A changed checklist doesn't increase the task's version, so checklists are always compared.
  return (Object.keys(item.changes) as StagedColumn[]).find(
    (column) =>
      !(isSameVersion && column !== 'checklist') &&
      (values[column] === undefined ||
        (values[column] !== item.before[column] && values[column] !== item.changes[column])),
  );
}

function pickReplacedValues(stored: StagedValues, folded: StagedValues, changes: StagedValues): StagedValues {
  const current = { ...stored, ...folded };
  return Object.fromEntries(
    (Object.keys(changes) as StagedColumn[]).map((column) => [column, current[column]]),
  );
}

function dropStoredValues(task: FoldedTask): StagedValues {
  if (task.stored === null) return task.changes;
  const values = toStagedValues(task);
  return Object.fromEntries(
    Object.entries(task.changes).filter(([column, value]) => value !== values[column as StagedColumn]),
  );
}
