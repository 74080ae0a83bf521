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
import { insertFollowers } from '../model/insert.queries.ts';
import { deleteOtherAssignees, insertOtherAssignees } from '../model/other-assignees.queries.ts';
import { recountBlockersOfRelatedTasks } from '../model/relations.queries.ts';
import {
  deleteCardPositions,
  deleteFollowers,
  hideTasks,
  moveTasks,
  type RelocatedTree,
  selectDeletionEvents,
  selectTreeEvents,
  showTasks,
} from '../model/relocation.queries.ts';
import { selectIds, selectOneTask, selectTasksFromSubquery } from '../model/selection.queries.ts';
import { countNewSubtasks, subtractSubtaskCounts } from '../model/subtasks.queries.ts';

/**
 * The maximum number of comments to update in the batch that moves, deletes or restores their tasks. Later batches
 * update the others.
 */
export const COMMENTS_PER_BATCH = 1_000;

export function buildTree(root: number, members: readonly { id: number }[]): RelocatedTree {
  const ids = members.map(({ id }) => id);
  return { root, ids, selection: selectTasksFromSubquery(selectIdsInOrder(ids)) };
}

const selectTreeIds = (tree: RelocatedTree): SQL => selectIdsInOrder(tree.ids);

function removeTreeFromProject({ caller }: WriteContext, tree: RelocatedTree): Statement<void>[] {
  const ws = caller.workspace;
  return [
    subtractSubtaskCounts(ws, selectOneTask(tree.root)),
    ...subtractTaskCounts(ws, tree.selection),
    adjustTaskCommentCounts(selectTreeIds(tree), -1),
    deleteFollowers(tree),
    deleteOtherAssignees(ws, selectTreeIds(tree)),
    deleteCardPositions(tree),
  ];
}

function addTreeToProject({ caller }: WriteContext, tree: RelocatedTree): Statement<void>[] {
  const ws = caller.workspace;
  return [
    insertFollowers(tree.selection),
    insertOtherAssignees(ws, tree.selection),
    ...addTaskCounts(ws, tree.selection),
    countNewSubtasks(ws, selectOneTask(tree.root)),
    adjustTaskCommentCounts(selectTreeIds(tree), 1),
  ];
}

function updateTreeComments(tree: RelocatedTree): Statement<void>[] {
  const ids = selectTreeIds(tree);
  return [updateOutdatedComments(ids, COMMENTS_PER_BATCH), saveTasksWithOutdatedComments(ids)];
}

interface TreeMove {
  from: { project: number; parent: number | null };
  to: { project: number; parent: number | null };
}

/**
 * Records an event per task in both projects, because some people can see only one of them. The task's history shows
 * only the event in the new project.
 */
export function moveTree(ctx: WriteContext, tree: RelocatedTree, { from, to }: TreeMove): Statement<void>[] {
  const toReference = (id: number | null) => (id === null ? null : { id });
  const event = {
    type: 'task.moved',
    changes: { project: { from: toReference(from.project), to: toReference(to.project) } },
    rootChanges:
      from.parent === to.parent
        ? {}
        : { parent: { from: toReference(from.parent), to: toReference(to.parent) } },
  } as const;
  return [
    ...removeTreeFromProject(ctx, tree),
    recordEvents(ctx, selectTreeEvents(tree, { ...event, isInHistory: false })),
    recordEvents(ctx, selectTreeEvents(tree, { ...event, project: to.project })),
    moveTasks(ctx, tree, to.project, { parent: to.parent }),
    ...addTreeToProject(ctx, tree),
    ...updateTreeComments(tree),
    ...requeueTasks(ctx.caller.workspace, to.project, tree.ids),
    queueDetails(ctx.caller.workspace, selectIds(tree.selection)),
  ];
}

export function hideTree(ctx: WriteContext, tree: RelocatedTree): Statement<void>[] {
  return [
    ...removeTreeFromProject(ctx, tree),
    recordEvents(ctx, selectDeletionEvents(tree)),
    hideTasks(ctx, tree),
    recountBlockersOfRelatedTasks(ctx.caller.workspace, selectTreeIds(tree)),
    ...updateTreeComments(tree),
  ];
}

export function showTree(ctx: WriteContext, tree: RelocatedTree, parent: number | null): Statement<void>[] {
  return [
    showTasks(ctx, tree, { parent }),
    recountBlockersOfRelatedTasks(ctx.caller.workspace, selectTreeIds(tree)),
    ...addTreeToProject(ctx, tree),
    recordEvents(ctx, selectTreeEvents(tree, { type: 'task.restored' })),
    ...updateTreeComments(tree),
  ];
}
