import * as z from 'zod';
import { recordEvent } from '../../events/log/record.queries.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { type Context, operation } from '../../kernel/operation/operation.ts';
import { done, doneAgain, integerId } from '../../kernel/operation/schema.ts';
import { follow, unfollow } from '../counters/count-changes.queries.ts';
import { addToList, assertFollowed, countFollowed, removeFromList } from '../model/follower-lists.queries.ts';
import { oneTask } from '../model/selection.queries.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { assertWritable, findTaskState, type TaskState } from '../model/tasks.queries.ts';
import { requireUnarchived } from '../write/edit-task.ts';

/*
 * Followers are notified of comments and status changes. Creating a task, being assigned or commenting makes a person follow
 * it. These operations follow and unfollow directly.
 */

const spec = {
  access: 'session',
  capability: 'seeTasks',
  effect: 'write',
  input: z.strictObject({ id: integerId }),
  output: done,
  repeat: doneAgain,
} as const;

export const followTask = operation(
  { ...spec, name: 'followTask', summary: 'Follow a task' },
  async (ctx, { id }) => {
    const { caller, db, now } = ctx;
    const { task, isFollowed } = await read(ctx, id);
    if (isFollowed) return { success: true as const };
    await db.batch([
      ...recordFollowing(ctx, task, isFollowed),
      addToList(caller, id, now),
      ...follow(caller.workspace, caller.member, oneTask(id)),
    ]);
    return { success: true as const };
  },
);

export const unfollowTask = operation(
  { ...spec, name: 'unfollowTask', summary: 'Unfollow a task' },
  async (ctx, { id }) => {
    const { caller, db, now } = ctx;
    const { task, isFollowed } = await read(ctx, id);
    if (!isFollowed) return { success: true as const };
    if (task.assignee === caller.member) {
      throw invalidRequestError("You can't unfollow a task that is assigned to you. Reassign it first.");
    }
    await db.batch([
      ...recordFollowing(ctx, task, isFollowed),
      removeFromList(caller, id, now),
      ...unfollow(caller.workspace, caller.member, id),
    ]);
    return { success: true as const };
  },
);

async function read({ caller, db }: Context, id: number) {
  const [task, followed] = await db.batch([findTaskState(caller, id), countFollowed(caller, id)]);
  if (!task) throw taskNotFoundError(id);
  requireUnarchived(task);
  return { task, isFollowed: followed > 0 };
}

/** Undoes the batch if the task or its followers have changed since they were read. Records the change of followers. */
function recordFollowing(ctx: Context, { id, project, assignee }: TaskState, isFollowed: boolean) {
  return [
    assertWritable(ctx.caller, id),
    assertFollowed(ctx.caller, { id, assignee }, isFollowed),
    recordEvent(ctx, { type: 'task.updated', project, task: id, changes: { followers: null } }),
  ];
}
