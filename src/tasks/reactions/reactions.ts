import { recordEvent } from '../../events/log/record.queries.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { commentNotFoundError, taskNotFoundError } from '../model/tasks.policy.ts';
import { assertTaskWritable } from '../model/tasks.queries.ts';
import { requireUnarchived } from '../write/edit-task.ts';
import { rejectTooManyPeople } from './reactions.policy.ts';
import { toReactions } from './reactions.present.ts';
import {
  deleteReaction,
  findReactionState,
  insertReaction,
  listReactions,
  selectTaskProject,
} from './reactions.queries.ts';
import { type ReactionKey, reactionKeyInput, reactionList } from './reactions.schema.ts';

export const addReaction = defineOperation(
  {
    name: 'addReaction',
    summary: 'React to a comment',
    description: "Returns the comment's reactions. If you add the same reaction again, nothing changes.",
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: reactionKeyInput,
    output: reactionList,
  },
  async (ctx, key) => changeReaction(ctx, key, true),
);

export const removeReaction = defineOperation(
  {
    name: 'removeReaction',
    summary: 'Remove your reaction to a comment',
    description: "Returns the comment's reactions. If you haven't added the reaction, nothing changes.",
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: reactionKeyInput,
    output: reactionList,
  },
  async (ctx, key) => changeReaction(ctx, key, false),
);

/** Changes neither the task nor its history, and notifies no one. */
async function changeReaction(ctx: Context, key: ReactionKey, isAdded: boolean) {
  const { db, caller } = ctx;
  const { id, commentId, reaction } = key;
  const [found] = await db.batch([findReactionState(caller, key)]);
  if (!found) throw taskNotFoundError(id);
  if (found.comment === null) throw commentNotFoundError(id, commentId);
  requireUnarchived({ id, archived: found.archived });
  const isChanged = isAdded !== (found.is_mine === 1);
  if (isChanged && isAdded) rejectTooManyPeople(commentId, found.count);
  const [{ reactions }] = await db.writeThenRead(
    isChanged
      ? [
          assertTaskWritable(caller, id),
          ...(isAdded ? insertReaction(caller, key) : deleteReaction(caller, key)),
          recordEvent(ctx, {
            type: isAdded ? 'reaction.added' : 'reaction.removed',
            project: selectTaskProject(id),
            task: id,
            entity: commentId,
            changes: {
              reaction: isAdded ? { from: null, to: reaction } : { from: reaction, to: null },
            },
          }),
        ]
      : [],
    [listReactions(caller, commentId)],
  );
  return { data: toReactions(reactions) };
}
