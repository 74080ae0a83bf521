import { AppError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { descriptionFormatInput } from '../../kernel/rich-text/description-format.ts';
import { selectIdsInOrder } from '../../kernel/sql/database.ts';
import { showNotifications } from '../../notifications/inbox/hide-notifications.queries.ts';
import { showTimeEntries } from '../../time/tracking/deleted-tasks.queries.ts';
import { findValidFormerParent, listFormerParentTree } from '../hierarchy/former-parent.ts';
import { assertValidParents } from '../hierarchy/hierarchy.queries.ts';
import { assertTreeMembersUnchanged, listTreeMembers } from '../hierarchy/tree-members.queries.ts';
import { selectOneTask } from '../model/selection.queries.ts';
import { taskDetail, taskIdInput } from '../model/tasks.schema.ts';
import { readTaskDetail } from '../operations/tasks.ts';
import { rescheduleTaskSeries } from '../recurrence/recurrences.queries.ts';
import { rescheduleTaskReminders } from '../reminders/reminders.queries.ts';
import { updateCommentsAfterResponse } from '../write/outdated-comments.ts';
import { buildTree, showTree } from '../write/relocate.ts';
import { assertRestorable, deleteTrash, findTrashedTask, type TrashedTask } from './trash.queries.ts';

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
    const { caller, reach } = ctx;
    const { task, members } = await readTrashedTask(ctx, id);
    const [trees] = await ctx.db.batch([listFormerParentTree(caller, task.former_parent)]);
    const parent = findValidFormerParent(trees, {
      project: task.project,
      parentId: task.former_parent,
      members,
    });
    const tree = buildTree(id, members);
    const ids = selectIdsInOrder(tree.ids);
    const detail = await readTaskDetail(ctx, id, [
      assertRestorable(caller, reach, id),
      assertTreeMembersUnchanged(id, members),
      ...deleteTrash(caller, id),
      ...showTree(ctx, tree, parent),
      ...(parent === null ? [] : [assertValidParents(caller, selectOneTask(id))]),
      rescheduleTaskSeries(caller, ids),
      rescheduleTaskReminders(caller, ids, ctx.now),
      showTimeEntries(caller.workspace, ids),
      ...showNotifications(caller.workspace, ids),
    ]);
    updateCommentsAfterResponse(ctx, members);
    return detail;
  },
);

async function readTrashedTask({ caller, db, reach }: Context, id: number) {
  const [task, members] = await db.batch([findTrashedTask(caller, reach, id), listTreeMembers(caller, id)]);
  if (!task) throw notInTrashError(id);
  return { task: task satisfies TrashedTask, members };
}

function notInTrashError(id: number): AppError {
  return new AppError(
    'not_found',
    ({ call }) =>
      `Task ${id} isn't in the trash, or you can't restore it; ${call('listTrash')} lists the tasks that you can restore.`,
  );
}
