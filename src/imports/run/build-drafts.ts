import { AppError } from '../../kernel/errors/errors.ts';
import { splitAssignees, toColumnValues } from '../../tasks/field-values.ts';
import type { TreeRow } from '../../tasks/hierarchy/hierarchy.queries.ts';
import { TaskTree } from '../../tasks/hierarchy/task-tree.ts';
import { emptyDraft, type TaskDraft } from '../../tasks/model/insert.queries.ts';
import type { PlannedTask } from '../plan/plan-import.ts';
import type { SliceTask } from './split-into-slices.ts';

interface DraftContext {
  readonly project: number;
  readonly members: ReadonlySet<number>;
  readonly imported: ReadonlyMap<string, number>;
  readonly trees: readonly TreeRow[];
  readonly sizes: ReadonlyMap<PlannedTask, TreeSize>;
}

/** `slice` contains the tasks that one batch creates, in the plan's order. */
export function buildDrafts(
  plan: readonly PlannedTask[],
  slice: readonly SliceTask[],
  { project, members, imported, trees, sizes }: DraftContext,
): TaskDraft[] {
  const tree = new TaskTree(trees);
  const places = new Map(slice.map(({ task }, place) => [task.key, place]));
  return slice.map(({ task, html: description }) => {
    const parent = task.parent === null ? undefined : plan[task.parent];
    const place = parent && places.get(parent.key);
    const existing = parent && place === undefined ? (imported.get(parent.key) ?? null) : null;
    const { name, status, priority, tags, startDate, deadline, dueTime, estimate } = task;
    const input = { name, status, priority, tags, startDate, deadline, dueTime, description };
    return {
      ...emptyDraft,
      ...toColumnValues({ ...input, customEstimatedHours: estimate }),
      ...splitAssignees(task.assignees.filter((no) => members.has(no))),
      name,
      project,
      parent: existing !== null && canBeParent(tree, project, existing, sizes.get(task)) ? existing : null,
      ...(place !== undefined && { parent_draft: place }),
      source_completed_on: task.completedOn,
      ...(task.checklist.length > 0 && { checklist: task.checklist }),
    };
  });
}

interface TreeSize {
  readonly descendants: number;
  readonly levels: number;
}

/**
 * An existing parent may have been archived, moved or deleted, or may already have the maximum number of
 * subtasks.
 */
function canBeParent(tree: TaskTree, project: number, parentId: number, size?: TreeSize): boolean {
  try {
    tree.placeTask({ project, parentId, ...size });
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** Measures the tree below each task in the whole plan, because later slices create some of the subtasks. */
export function measureTrees(plan: readonly PlannedTask[]): ReadonlyMap<PlannedTask, TreeSize> {
  const sizes = plan.map(() => ({ descendants: 0, levels: 1 }));
  for (const [index, { parent }] of [...plan.entries()].reverse()) {
    const [size, above] = [sizes[index], parent === null ? undefined : sizes[parent]];
    if (!size || !above) continue;
    above.descendants += 1 + size.descendants;
    above.levels = Math.max(above.levels, 1 + size.levels);
  }
  return new Map(plan.map((task, index) => [task, sizes[index] ?? { descendants: 0, levels: 1 }]));
}
