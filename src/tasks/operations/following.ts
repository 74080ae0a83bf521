import * as z from 'zod';
import { recordEvent } from '../../events/log/record.queries.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { integerId, successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { addFollower, removeFollower } from '../counters/count-changes.queries.ts';
import { listAssigneeNumbers } from '../field-values.ts';
import {
  addCallerToFollowers,
  assertFollowState,
  countFollowing,
  removeCallerFromFollowers,
} from '../model/follower-lists.queries.ts';
import { selectOneTask } from '../model/selection.queries.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { assertTaskWritable, findTaskState, type TaskState } from '../model/tasks.queries.ts';
import { requireUnarchived } from '../write/edit-task.ts';

/* People also become followers by creating the task, being assigned to it or commenting on it. */

const followSpec = {
  access: 'session',
  capability: 'seeTasks',
  effect: 'write',
  input: z.strictObject({ id: integerId }),
  output: successOutput,
  replay: successReplay,
} as const;

export const followTask = defineOperation(
  { ...followSpec, name: 'followTask', summary: 'Follow a task' },
  async (ctx, { id }) => {
    const { caller, db, now } = ctx;
    const { task, isFollowed } = await readFollowState(ctx, id);
    if (isFollowed) return { success: true as const };
    await db.batch([
      ...recordFollowingChange(ctx, task, isFollowed),
      addCallerToFollowers(caller, id, now),
      ...addFollower(caller.workspace, caller.member, selectOneTask(id)),
    ]);
    return { success: true as const };
  },
);

export const unfollowTask = defineOperation(
  { ...followSpec, name: 'unfollowTask', summary: 'Unfollow a task' },
  async (ctx, { id }) => {
    const { caller, db, now } = ctx;
    const { task, isFollowed } = await readFollowState(ctx, id);
    if (!isFollowed) return { success: true as const };
    if (listAssigneeNumbers(task).includes(caller.member)) {
      throw invalidRequestError("You can't unfollow a task that is assigned to you. Reassign it first.");
    }
    await db.batch([
      ...recordFollowingChange(ctx, task, isFollowed),
      removeCallerFromFollowers(caller, id, now),
      ...removeFollower(caller.workspace, caller.member, id),
    ]);
    return { success: true as const };
  },
);

async function readFollowState({ caller, db }: Context, id: number) {
  const [task, followed] = await db.batch([findTaskState(caller, id), countFollowing(caller, id)]);
  if (!task) throw taskNotFoundError(id);
  requireUnarchived(task);
  return { task, isFollowed: followed > 0 };
}

function recordFollowingChange(ctx: Context, task: TaskState, isFollowed: boolean) {
  const { id, project } = task;
  return [
    assertTaskWritable(ctx.caller, id),
    assertFollowState(ctx.caller, task, isFollowed),
    recordEvent(ctx, { type: 'task.updated', project, task: id, changes: { followers: null } }),
  ];
}
