import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { formatNumber } from '../../kernel/text/number-format.ts';
import { TREE_MEMBERS_MAX, type TreeMember } from './tree-members.queries.ts';

/** A task that moves on its own, and its descendants, which move with it. */
export interface TreeWithMembers {
  readonly root: number;
  readonly levels: number;
  /** Includes the root. */
  readonly members: readonly TreeMember[];
}

/**
 * A task below another task in `ids` belongs to that task's tree.
 * @param found the members of the trees of `ids`, and maybe of other trees.
 */
export function buildTrees(ids: readonly number[], found: readonly TreeMember[]): TreeWithMembers[] {
  if (found.length > TREE_MEMBERS_MAX) {
    throw invalidRequestError(
      `At most ${formatNumber(TREE_MEMBERS_MAX)} tasks, including subtasks, can be moved, deleted or restored at once. Send fewer tasks.`,
      ({ field }) => field('ids'),
    );
  }
  const known = new Map(found.map((member) => [member.id, member]));
  const subtasks = Map.groupBy(found, ({ parent }) => parent);
  const chosen = new Set(ids);
  const isBelowAnother = (id: number) => {
    for (let up = known.get(id)?.parent; up != null; up = known.get(up)?.parent)
      if (chosen.has(up)) return true;
    return false;
  };
  return ids
    .filter((id) => known.has(id) && !isBelowAnother(id))
    .map((root) => collectTree(root, known, subtasks));
}

function collectTree(
  root: number,
  known: ReadonlyMap<number, TreeMember>,
  subtasks: ReadonlyMap<number | null, readonly TreeMember[]>,
): TreeWithMembers {
  const members: TreeMember[] = [];
  let levels = 0;
  for (let level = [known.get(root)]; level.length > 0; levels += 1) {
    const present = level.filter((member) => member !== undefined);
    members.push(...present);
    level = present.flatMap(({ id }) => subtasks.get(id) ?? []);
  }
  return { root, levels, members };
}
