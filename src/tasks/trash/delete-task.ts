import { forbiddenError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { selectIdsInOrder } from '../../kernel/sql/database.ts';
import { hideNotifications } from '../../notifications/inbox/hide-notifications.queries.ts';
import { hideTimeEntries, stopTaskTimers } from '../../time/tracking/deleted-tasks.queries.ts';
import { assertTreeMembersUnchanged, listTreeMembers } from '../hierarchy/tree-members.queries.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { assertTasksUnchanged, findTaskState } from '../model/tasks.queries.ts';
import { taskIdInput } from '../model/tasks.schema.ts';
import { readTaskVersion } from '../operations/tasks.ts';
import { updateCommentsAfterResponse } from '../write/outdated-comments.ts';
import { buildTree, hideTree } from '../write/relocate.ts';
import {
  assertProjectOwner,
  findProjectOwner,
  insertTrash,
  selectLastHiddenMember,
} from './trash.queries.ts';

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
      listTreeMembers(caller, id),
    ]);
    if (!task || !project) throw taskNotFoundError(id);
    if (reach !== 'all' && project.owner !== caller.member) {
      throw forbiddenError(
        `Only the project lead, and workspace owners and admins, can delete task ${id}. Ask one of them, or archive it.`,
      );
    }
    const tree = buildTree(id, members);
    const ids = selectIdsInOrder(tree.ids);
    await db.batch([
      assertTasksUnchanged(caller, [task]),
      assertTreeMembersUnchanged(id, members),
      ...(reach === 'all' ? [] : [assertProjectOwner(caller, task.project, caller.member)]),
      ...stopTaskTimers(ctx, ids),
      ...hideTree(ctx, tree),
      hideTimeEntries(caller.workspace, ids),
      insertTrash(ctx, task),
      ...hideNotifications(caller.workspace, ids, { after: 0, upTo: selectLastHiddenMember(id) }),
    ]);
    updateCommentsAfterResponse(ctx, members);
    return { success: true as const };
  },
);
