import { recordEvents } from '../../events/log/record.queries.ts';
import type { WriteContext } from '../../kernel/operation/operation.ts';
import { type SQL, type Statement, selectIdsInOrder } from '../../kernel/sql/database.ts';
import { queueDetails } from '../../search/index/detail-search.queries.ts';
import { requeueTasks } from '../../search/index/search-index.queries.ts';
import {
  adjustTaskCommentCounts,
  saveTasksWithOutdatedComments,
  updateOutdatedComments,
} from '../counters/comment-counts.queries.ts';
import { addTaskCounts, subtractTaskCounts } from '../counters/count-changes.queries.ts';
import type { TreeWithMembers } from '../hierarchy/tree-members.ts';
import { insertFollowers } from '../model/insert.queries.ts';
import { deleteOtherAssignees, insertOtherAssignees } from '../model/other-assignees.queries.ts';
import { recountBlockersOfRelatedTasks } from '../model/relations.queries.ts';
import {
  deleteCardPositions,
  deleteFollowers,
  hideTasks,
  moveTasks,
  type NewParents,
  type NewProjects,
  type RelocatedTrees,
  selectDeletionEvents,
  selectMoveEvents,
  selectRestorationEvents,
  showTasks,
} from '../model/relocation.queries.ts';
import { selectIds, selectTasksById, selectTasksFromSubquery } from '../model/selection.queries.ts';
import { countNewSubtasks, subtractSubtaskCounts } from '../model/subtasks.queries.ts';

/**
 * The maximum number of comments to update in the batch that moves, deletes or restores their tasks. Later batches
 * update the others.
 */
export const COMMENTS_PER_BATCH = 1_000;

/** Roots without an entry in `parents` lose their parent. */
interface NewPlaces {
  projects: NewProjects;
  parents: NewParents;
}

export function toRelocatedTrees(trees: readonly TreeWithMembers[]): RelocatedTrees {
  const members = trees.flatMap(({ root, members }) => members.map(({ id }) => [id, root] as const));
  const rootOf = new Map(members);
  const selection = selectTasksFromSubquery(selectIdsInOrder([...rootOf.keys()]));
  return { roots: trees.map(({ root }) => root), rootOf, selection };
}

const selectTreeIds = ({ rootOf }: RelocatedTrees): SQL => selectIdsInOrder([...rootOf.keys()]);

function removeTreesFromProjects({ caller }: WriteContext, trees: RelocatedTrees): Statement<void>[] {
  const ws = caller.workspace;
  return [
    subtractSubtaskCounts(ws, selectTasksById(trees.roots)),
    ...subtractTaskCounts(ws, trees.selection),
    adjustTaskCommentCounts(selectTreeIds(trees), -1),
    deleteFollowers(trees),
    deleteOtherAssignees(ws, selectTreeIds(trees)),
    deleteCardPositions(trees),
  ];
}

function addTreesToProjects({ caller }: WriteContext, trees: RelocatedTrees): Statement<void>[] {
  const ws = caller.workspace;
  return [
    insertFollowers(trees.selection),
    insertOtherAssignees(ws, trees.selection),
    ...addTaskCounts(ws, trees.selection),
    countNewSubtasks(ws, selectTasksById(trees.roots)),
    adjustTaskCommentCounts(selectTreeIds(trees), 1),
  ];
}

function updateTreeComments(trees: RelocatedTrees): Statement<void>[] {
  const ids = selectTreeIds(trees);
  return [updateOutdatedComments(ids, COMMENTS_PER_BATCH), saveTasksWithOutdatedComments(ids)];
}

export function moveTrees(ctx: WriteContext, trees: RelocatedTrees, places: NewPlaces): Statement<void>[] {
  const ws = ctx.caller.workspace;
  const moved = [...trees.rootOf].map(([id, root]) => [id, places.projects.get(root) ?? 0] as const);
  return [
    ...removeTreesFromProjects(ctx, trees),
    ...selectMoveEvents(trees, places).map((events) => recordEvents(ctx, events)),
    moveTasks(ctx, trees, places),
    ...addTreesToProjects(ctx, trees),
    ...updateTreeComments(trees),
    ...requeueTasks(ws, new Map(moved)),
    queueDetails(ws, selectIds(trees.selection)),
  ];
}

export function hideTrees(ctx: WriteContext, trees: RelocatedTrees): Statement<void>[] {
  return [
    ...removeTreesFromProjects(ctx, trees),
    recordEvents(ctx, selectDeletionEvents(trees)),
    hideTasks(ctx, trees),
    recountBlockersOfRelatedTasks(ctx.caller.workspace, selectTreeIds(trees)),
    ...updateTreeComments(trees),
  ];
}

export function showTrees(ctx: WriteContext, trees: RelocatedTrees, parents: NewParents): Statement<void>[] {
  return [
    showTasks(ctx, trees, parents),
    recountBlockersOfRelatedTasks(ctx.caller.workspace, selectTreeIds(trees)),
    ...addTreesToProjects(ctx, trees),
    recordEvents(ctx, selectRestorationEvents(trees)),
    ...updateTreeComments(trees),
  ];
}
