import { defineOperation } from '../../kernel/operation/operation.ts';
import { descriptionFormatInput } from '../../kernel/rich-text/description-format.ts';
import { listTreeMembers } from '../hierarchy/tree-members.queries.ts';
import { buildTrees } from '../hierarchy/tree-members.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { findTaskState } from '../model/tasks.queries.ts';
import { taskDetail, taskIdInput } from '../model/tasks.schema.ts';
import { readTaskDetail, readTaskVersion } from '../operations/tasks.ts';
import { projectNotFoundError } from '../visibility/project-visibility.policy.ts';
import { requireUnarchived } from '../write/edit-task.ts';
import { findTargetProject } from './moving.queries.ts';
import { targetProjectInput } from './moving.schema.ts';
import { planMoves, startMoveFollowUps } from './plan-moves.ts';

export const moveTask = defineOperation(
  {
    name: 'moveTask',
    summary: 'Move a task and all its subtasks to another project',
    description:
      "Anyone who can see the task and the project can move it. Comments, files, time and history move with the task. The task loses its parent, and followers who can't see the project stop following it. Moving a task to its current project changes nothing.",
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: taskIdInput.extend({
      projectId: targetProjectInput,
      descriptionFormat: descriptionFormatInput,
    }),
    output: taskDetail,
    returnsVersion: true,
    precondition: readTaskVersion,
  },
  async (ctx, { id, projectId }) => {
    const { caller, db } = ctx;
    const [task, target, members] = await db.batch([
      findTaskState(caller, id),
      findTargetProject(caller, projectId),
      listTreeMembers(caller, [id]),
    ]);
    if (!task) throw taskNotFoundError(id);
    if (!target) throw projectNotFoundError(projectId, 'projectId');
    requireUnarchived(task);
    if (task.project === projectId) return readTaskDetail(ctx, id);
    const moves = buildTrees([id], members).map((tree) => ({ tree, project: projectId, parent: null }));
    const writes = planMoves(ctx, [task], moves);
    const detail = await readTaskDetail(ctx, id, writes);
    startMoveFollowUps(ctx, moves, writes);
    return detail;
  },
);
