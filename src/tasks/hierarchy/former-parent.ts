import type { Caller } from '../../kernel/access/access.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import { listTrees, type TreeRow } from './hierarchy.queries.ts';
import { type Placement, TaskTree } from './task-tree.ts';
import type { TreeMember } from './tree-members.queries.ts';

export function listFormerParent(caller: Caller, parent: number | null): Statement<TreeRow[]> {
  return listTrees(caller, { parents: parent === null ? [] : [parent] });
}

interface Returning {
  project: number;
  parentId: number | null;
  members: readonly TreeMember[];
}

/** Returns null if the tree can't return to its former parent, for example because that parent is archived. */
export function findFittingParent(
  trees: readonly TreeRow[],
  { project, parentId, members }: Returning,
): number | null {
  const levels = Math.max(...members.map(({ level }) => level));
  return placeIfFitting(new TaskTree(trees), {
    project,
    parentId,
    descendants: members.length - 1,
    levels,
  });
}

export function placeIfFitting(tree: TaskTree, placement: Placement): number | null {
  try {
    tree.place(placement);
    return placement.parentId;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return null;
  }
}
