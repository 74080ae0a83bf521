import type * as z from 'zod';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { listTreeMembers } from '../hierarchy/tree-members.queries.ts';
import { buildTrees } from '../hierarchy/tree-members.ts';
import { listTaskStates } from '../model/bulk-states.queries.ts';
import { planDeletion, taskNotDeletableError } from '../trash/plan-deletion.ts';
import { notInTrashError, planRestoration } from '../trash/plan-restoration.ts';
import { listProjectOwners, listTrashedTasks } from '../trash/trash.queries.ts';
import { updateCommentsAfterResponse } from '../write/outdated-comments.ts';
import {
  bulkDeleteInput,
  bulkDeletionResult,
  bulkIdsInput,
  bulkResult,
  isMinimalResult,
} from './bulk.schema.ts';
import {
  type BulkItem,
  getAcceptedValues,
  getSharedUpdatePath,
  mapItems,
  requireAllAccepted,
  requireTaskState,
  toBulkResult,
  toIdItems,
} from './items.ts';
import { replayBulkRequest, toRecordedItems } from './replay.ts';
import { recordRejections, writeItems } from './write-items.ts';

const deletionSpec = { access: 'tasks:write', capability: 'deleteTasks', effect: 'write' } as const;

export const deleteTasksInBulk = defineOperation(
  {
    ...deletionSpec,
    name: 'deleteTasksInBulk',
    summary: 'Delete up to 100 tasks and all their subtasks',
    description:
      'Only the project lead, and workspace owners and admins, can delete a task. At most 1,100 tasks can be deleted at once, including subtasks. They can be restored from the trash for 30 days. A task below another one in `ids` stays its subtask. By default, either all tasks are deleted or none. With `mode` set to `each`, every task that can be deleted is deleted, and each of the others has an error in the response.',
    input: bulkDeleteInput,
    output: bulkDeletionResult,
    replay: {
      rebuild: async (ctx, { ids }, record) => toDeletionResult(ctx, toRecordedItems(ids, record)),
    },
  },
  async (ctx, { mode, ids }) => {
    const { caller, db, reach } = ctx;
    const given = toIdItems(ids);
    requireAllAccepted(mode, given, getSharedUpdatePath, ids);
    const [tasks, owners, members] = await db.batch([
      listTaskStates(caller, ids, 0),
      listProjectOwners(caller, ids),
      listTreeMembers(caller, ids),
    ]);
    const items = mapItems(given, ({ id }) => {
      const task = requireTaskState(tasks, id);
      const isOwn = owners.some((each) => each.task === id && each.owner === caller.member);
      if (reach !== 'all' && !isOwn) throw taskNotDeletableError(id);
      return task;
    });
    requireAllAccepted(mode, items, getSharedUpdatePath, ids);
    const deleted = getAcceptedValues(items);
    const trees = buildTrees(
      deleted.map(({ id }) => id),
      members,
    );
    const writes = trees.length === 0 ? [] : planDeletion(ctx, deleted, trees);
    await recordRejections(ctx, items, writes);
    if (writes.length > 0) await db.batch(writes);
    updateCommentsAfterResponse(
      ctx,
      trees.flatMap((tree) => tree.members),
    );
    return toDeletionResult(
      ctx,
      mapItems(items, ({ id }) => id),
    );
  },
);

export const restoreTasksInBulk = defineOperation(
  {
    ...deletionSpec,
    name: 'restoreTasksInBulk',
    summary: 'Restore up to 100 deleted tasks and their subtasks',
    description:
      'Each task is restored as with `POST /tasks/{id}/restore`. A task that was deleted with another one in `ids` is restored with it. At most 1,100 tasks can be restored at once, including subtasks. By default, either all tasks are restored or none. With `mode` set to `each`, every task that can be restored is restored, and each of the others has an error in the response.',
    input: bulkIdsInput,
    output: bulkResult,
    isMinimal: isMinimalResult,
    replay: { rebuild: (ctx, { ids }, record) => replayBulkRequest(ctx, ids, record) },
  },
  async (ctx, { mode, ids }) => {
    const { caller, db, reach } = ctx;
    const given = toIdItems(ids);
    requireAllAccepted(mode, given, getSharedUpdatePath, ids);
    const [trashed, members] = await db.batch([
      listTrashedTasks(caller, reach, ids),
      listTreeMembers(caller, ids),
    ]);
    const trees = buildTrees(
      trashed.map(({ id }) => id),
      members,
    );
    const restored = new Set(trees.flatMap((tree) => tree.members.map(({ id }) => id)));
    const items = mapItems(given, ({ id }) => {
      if (!restored.has(id)) throw notInTrashError(id);
      return { task: { id } };
    });
    requireAllAccepted(mode, items, getSharedUpdatePath, ids);
    const writes = trees.length === 0 ? [] : await planRestoration(ctx, trashed, trees);
    const response = await writeItems(ctx, items, writes);
    updateCommentsAfterResponse(
      ctx,
      trees.flatMap((tree) => tree.members),
    );
    return response;
  },
);

function toDeletionResult(
  ctx: Context,
  items: readonly BulkItem<number>[],
): z.input<typeof bulkDeletionResult> {
  return toBulkResult(
    mapItems(items, (id) => ({ id })),
    ctx.words,
  );
}
