import { defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { listTreeMembers } from '../hierarchy/tree-members.queries.ts';
import { buildTrees } from '../hierarchy/tree-members.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { findTaskState } from '../model/tasks.queries.ts';
import { taskIdInput } from '../model/tasks.schema.ts';
import { readTaskVersion } from '../operations/tasks.ts';
import { updateCommentsAfterResponse } from '../write/outdated-comments.ts';
import { planDeletion, taskNotDeletableError } from './plan-deletion.ts';
import { findProjectOwner } from './trash.queries.ts';

export const deleteTask = defineOperation(
  {
    name: 'deleteTask',
    summary: 'Delete a task and all its subtasks',
    description:
      'Only the project lead, and workspace owners and admins, can delete a task. It can be restored from the trash for 30 days.',
    access: 'tasks:write',
    capability: 'deleteTasks',
    effect: 'write',
    input: taskIdInput,
    output: successOutput,
    replay: successReplay,
    precondition: readTaskVersion,
  },
  async (ctx, { id }) => {
    const { caller, db, reach } = ctx;
    const [task, project, members] = await db.batch([
      findTaskState(caller, id),
      findProjectOwner(caller, id),
      listTreeMembers(caller, [id]),
    ]);
    if (!task || !project) throw taskNotFoundError(id);
    if (reach !== 'all' && project.owner !== caller.member) throw taskNotDeletableError(id);
    await db.batch(planDeletion(ctx, [task], buildTrees([id], members)));
    updateCommentsAfterResponse(ctx, members);
    return { success: true as const };
  },
);
