import { defineOperation } from '../../kernel/operation/operation.ts';
import { descriptionFormatInput } from '../../kernel/rich-text/description-format.ts';
import { listTreeMembers } from '../hierarchy/tree-members.queries.ts';
import { buildTrees } from '../hierarchy/tree-members.ts';
import { taskDetail, taskIdInput } from '../model/tasks.schema.ts';
import { readTaskDetail } from '../operations/tasks.ts';
import { updateCommentsAfterResponse } from '../write/outdated-comments.ts';
import { notInTrashError, planRestoration } from './plan-restoration.ts';
import { listTrashedTasks } from './trash.queries.ts';

export const restoreTask = defineOperation(
  {
    name: 'restoreTask',
    summary: 'Restore a deleted task and its subtasks',
    description:
      "Anyone who can delete the task can restore it. It becomes a subtask again if its parent is still in the project, isn't archived, and has room for more subtasks.",
    access: 'tasks:write',
    capability: 'deleteTasks',
    effect: 'write',
    input: taskIdInput.extend({ descriptionFormat: descriptionFormatInput }),
    output: taskDetail,
    returnsVersion: true,
    replay: { rebuild: async (ctx, { id }) => readTaskDetail(ctx, id) },
  },
  async (ctx, { id }) => {
    const { caller, db, reach } = ctx;
    const [tasks, members] = await db.batch([
      listTrashedTasks(caller, reach, [id]),
      listTreeMembers(caller, [id]),
    ]);
    if (tasks.length === 0) throw notInTrashError(id);
    const detail = await readTaskDetail(
      ctx,
      id,
      await planRestoration(ctx, tasks, buildTrees([id], members)),
    );
    updateCommentsAfterResponse(ctx, members);
    return detail;
  },
);
