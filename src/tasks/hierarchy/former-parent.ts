import type { Caller } from '../../kernel/access/access.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import { listTrees, type TreeRow } from './hierarchy.queries.ts';
import { TaskTree, type TreePlacement } from './task-tree.ts';
import type { TreeWithMembers } from './tree-members.ts';

interface FormerPlace {
  tree: TreeWithMembers;
  project: number;
  parentId: number | null;
}

export function listFormerParentTrees(
  caller: Caller,
  places: readonly Pick<FormerPlace, 'parentId'>[],
): Statement<TreeRow[]> {
  return listTrees(caller, { parents: places.flatMap(({ parentId }) => parentId ?? []) });
}

/**
 * Returns the parent of each root that can return to its former parent. A root can't return if, for example, that
 * parent is archived.
 */
export function findValidFormerParents(
  trees: readonly TreeRow[],
  places: readonly FormerPlace[],
): Map<number, number> {
  const placed = new TaskTree(trees);
  const parents = places.map(({ tree: { root, levels, members }, project, parentId }) => {
    const parent = placeTaskIfValid(placed, { project, parentId, descendants: members.length - 1, levels });
    return [root, parent] as const;
  });
  return new Map(parents.flatMap(([root, parent]) => (parent === null ? [] : [[root, parent] as const])));
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
