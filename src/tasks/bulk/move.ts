import { defineOperation } from '../../kernel/operation/operation.ts';
import { listTreeMembers } from '../hierarchy/tree-members.queries.ts';
import { buildTrees } from '../hierarchy/tree-members.ts';
import { listTaskStates } from '../model/bulk-states.queries.ts';
import { findTargetProject } from '../moving/moving.queries.ts';
import { planMoves, startMoveFollowUps } from '../moving/plan-moves.ts';
import { projectNotFoundError } from '../visibility/project-visibility.policy.ts';
import { requireUnarchived } from '../write/edit-task.ts';
import { bulkMoveInput, bulkResult, isMinimalResult } from './bulk.schema.ts';
import {
  getAcceptedValues,
  getSharedUpdatePath,
  mapItems,
  requireAllAccepted,
  requireTaskState,
  toIdItems,
} from './items.ts';
import { replayBulkRequest } from './replay.ts';
import { writeItems } from './write-items.ts';

export const moveTasksInBulk = defineOperation(
  {
    name: 'moveTasksInBulk',
    summary: 'Move up to 100 tasks and all their subtasks to another project',
    description:
      'Each task moves as with `POST /tasks/{id}/move`, except that a task below another one in `ids` stays its subtask. At most 1,100 tasks can move at once, including subtasks. By default, either all tasks move or none. With `mode` set to `each`, every task that can move does, and each of the others has an error in the response. A task that is already in the project counts as a success.',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: bulkMoveInput,
    output: bulkResult,
    isMinimal: isMinimalResult,
    replay: { rebuild: (ctx, { ids }, record) => replayBulkRequest(ctx, ids, record) },
  },
  async (ctx, { mode, ids, projectId }) => {
    const { caller, db } = ctx;
    const given = toIdItems(ids);
    requireAllAccepted(mode, given, getSharedUpdatePath, ids);
    const [target, tasks, members] = await db.batch([
      findTargetProject(caller, projectId),
      listTaskStates(caller, ids, 0),
      listTreeMembers(caller, ids),
    ]);
    if (!target) throw projectNotFoundError(projectId, 'projectId');
    const items = mapItems(given, ({ id }) => {
      const task = requireTaskState(tasks, id);
      requireUnarchived(task);
      return { task };
    });
    requireAllAccepted(mode, items, getSharedUpdatePath, ids);
    const moved = getAcceptedValues(items).flatMap(({ task }) => (task.project === projectId ? [] : [task]));
    const trees = buildTrees(
      moved.map(({ id }) => id),
      members,
    );
    const moves = trees.map((tree) => ({ tree, project: projectId, parent: null }));
    const writes = moves.length === 0 ? [] : planMoves(ctx, moved, moves);
    const response = await writeItems(ctx, items, writes);
    startMoveFollowUps(ctx, moves, writes);
    return response;
  },
);
