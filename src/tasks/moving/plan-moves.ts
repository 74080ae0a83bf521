import type { Context } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import { indexWaitingTextsAfterResponse } from '../../search/index/index-waiting-texts.ts';
import { assertValidParents } from '../hierarchy/hierarchy.queries.ts';
import { assertTreeMembersUnchanged } from '../hierarchy/tree-members.queries.ts';
import type { TreeWithMembers } from '../hierarchy/tree-members.ts';
import { selectTasksById } from '../model/selection.queries.ts';
import { assertTasksUnchanged, type TaskVersion } from '../model/tasks.queries.ts';
import { updateCommentsAfterResponse } from '../write/outdated-comments.ts';
import { moveTrees, toRelocatedTrees } from '../write/relocate.ts';
import { assertTargetProjectsVisible } from './moving.queries.ts';

export interface PlannedMove {
  tree: TreeWithMembers;
  project: number;
  parent: number | null;
}

/**
 * The statements abort the batch if something that was read has changed.
 * @param tasks the roots, and other tasks whose state decided what to move.
 */
export function planMoves(
  ctx: Context,
  tasks: readonly TaskVersion[],
  moves: readonly PlannedMove[],
): Statement<void>[] {
  const { caller } = ctx;
  const trees = moves.map(({ tree }) => tree);
  const places = {
    projects: new Map(moves.map(({ tree, project }) => [tree.root, project])),
    parents: new Map(
      moves.flatMap(({ tree, parent }) => (parent === null ? [] : [[tree.root, parent] as const])),
    ),
  };
  return [
    assertTasksUnchanged(caller, tasks),
    assertTargetProjectsVisible(caller, [...new Set(places.projects.values())]),
    assertTreeMembersUnchanged(trees),
    ...moveTrees(ctx, toRelocatedTrees(trees), places),
    ...(places.parents.size === 0
      ? []
      : [assertValidParents(caller, selectTasksById([...places.parents.keys()]))]),
  ];
}

export function startMoveFollowUps(
  ctx: Context,
  moves: readonly PlannedMove[],
  writes: readonly Statement<void>[],
) {
  indexWaitingTextsAfterResponse(ctx, writes);
  updateCommentsAfterResponse(
    ctx,
    moves.flatMap(({ tree }) => tree.members),
  );
}
