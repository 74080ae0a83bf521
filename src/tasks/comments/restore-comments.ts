import type { Context } from '../../kernel/operation/operation.ts';
import { toIdParameter } from '../../kernel/sql/expressions.queries.ts';
import { commentNotFoundError, taskNotFoundError } from '../model/tasks.policy.ts';
import { assertTaskWritable, findTaskState } from '../model/tasks.queries.ts';
import { requireUnarchived } from '../write/edit-task.ts';
import { recordCommentChange, recordRestoredComment } from '../write/tasks.write.ts';
import { rejectTooManyComments } from './comments.policy.ts';
import { type CommentKey, countComments, findCommentState, updateComment } from './comments.queries.ts';
import { type FormerComment, reinsertComment } from './restore-comments.queries.ts';

/** Restores the text of a comment that an app edited, without notifying anyone. */
export async function restoreCommentContent(
  ctx: Context,
  key: CommentKey,
  { author, content }: Pick<FormerComment, 'author' | 'content'>,
): Promise<void> {
  const { db, caller } = ctx;
  const [found] = await db.batch([findCommentState(caller, key.task, key.id)]);
  if (!found) throw taskNotFoundError(key.task);
  if (found.content === null || found.author !== author) throw commentNotFoundError(key.task, key.id);
  requireUnarchived({ id: key.task, archived: found.archived });
  await db.batch([
    assertTaskWritable(caller, key.task),
    ...updateComment({ ...caller, member: author }, key, { from: found.content, to: content }),
    ...recordCommentChange(ctx, key.task, 'comment.updated', toIdParameter(key.id)),
  ]);
}

/** Restores a comment that an app deleted, without notifying anyone. The comment keeps its id, author and date. */
export async function restoreComment(ctx: Context, key: CommentKey, kept: FormerComment): Promise<void> {
  const { db, caller } = ctx;
  const [task, comments] = await db.batch([findTaskState(caller, key.task), countComments(caller, key.task)]);
  if (!task) throw taskNotFoundError(key.task);
  requireUnarchived(task);
  rejectTooManyComments(key.task, comments);
  await db.batch([
    assertTaskWritable(caller, key.task),
    ...reinsertComment(caller, key, kept),
    ...recordRestoredComment(ctx, key.task, toIdParameter(key.id)),
  ]);
}
