import type { Caller } from '../../kernel/access/access.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import { listTrees, type TreeRow } from './hierarchy.queries.ts';
import { TaskTree, type TreePlacement } from './task-tree.ts';
import type { TreeMember } from './tree-members.queries.ts';

export function listFormerParentTree(caller: Caller, parent: number | null): Statement<TreeRow[]> {
  return listTrees(caller, { parents: parent === null ? [] : [parent] });
}

interface RestoredTree {
  project: number;
  parentId: number | null;
  members: readonly TreeMember[];
}

/** Returns null if the tree can't return to its former parent, for example because that parent is archived. */
export function findValidFormerParent(
  trees: readonly TreeRow[],
  { project, parentId, members }: RestoredTree,
): number | null {
  const levels = Math.max(...members.map(({ level }) => level));
  return placeTaskIfValid(new TaskTree(trees), {
    project,
    parentId,
    descendants: members.length - 1,
    levels,
  });
}

export function placeTaskIfValid(tree: TaskTree, placement: TreePlacement): number | null {
  try {
    tree.placeTask(placement);
    return placement.parentId;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return null;
  }
}
