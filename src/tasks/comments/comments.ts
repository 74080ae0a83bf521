import { buildPage, buildPageSchema, toRange } from '../../kernel/lists/pagination.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import { toIdParameter } from '../../kernel/sql/expressions.queries.ts';
import { readLongContents } from '../comment-contents/long-contents.ts';
import { commentNotFoundError, taskNotFoundError } from '../model/tasks.policy.ts';
import { assertTaskWritable, findTaskState } from '../model/tasks.queries.ts';
import { toReactions } from '../reactions/reactions.present.ts';
import { comment } from '../summaries/summaries.schema.ts';
import { requireUnarchived } from '../write/edit-task.ts';
import { recordCommentChange, recordNewComment, recordNewMentions } from '../write/tasks.write.ts';
import { rejectTooManyComments, requireAuthor, requireAuthorOrAdmin } from './comments.policy.ts';
import { toComment } from './comments.present.ts';
import {
  type CommentKey,
  countComments,
  findComment,
  findCommentState,
  insertComment,
  newestComment,
  deleteComment as removeComment,
  updateComment as rewriteComment,
  listComments as selectComments,
} from './comments.queries.ts';
import {
  commentCreateInput,
  commentKeyInput,
  commentListInput,
  commentUpdateInput,
  listedComment,
} from './comments.schema.ts';
import type { FormerComment } from './restore-comments.queries.ts';

export const listComments = defineOperation(
  {
    name: 'listComments',
    summary: "List a task's comments, oldest first",
    description: 'In a comment, `@[id]` mentions the person with that id.',
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: commentListInput,
    output: buildPageSchema(listedComment).meta({ id: 'CommentPage' }),
  },
  async ({ db, caller }, { id, expand = [], ...input }) => {
    const range = toRange(input, 1);
    const hasReactions = expand.includes('reactions');
    const hasThread = expand.includes('thread');
    const [total, rows] = await db.batch([
      countComments(caller, id),
      selectComments(caller, id, range, hasReactions),
    ]);
    if (total < 0) throw taskNotFoundError(id);
    const complete = await readLongContents(db, caller, rows);
    return buildPage({
      range,
      total,
      rows: complete,
      key: (row) => [row.id],
      show: (row) => ({
        ...toComment(row),
        ...(hasThread && { parentId: row.parent }),
        ...(hasReactions && { reactions: toReactions(row.reactions) }),
      }),
    });
  },
);

export const addComment = defineOperation(
  {
    name: 'addComment',
    summary: 'Comment on a task',
    description: 'You start following the task. `@[id]` mentions the person with that id and notifies them.',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: commentCreateInput,
    output: comment,
    replay: {
      entity: newestComment,
      rebuild: async ({ db, caller }, _input, id) => {
        const [made] = await db.batch([findComment(caller, toIdParameter(id))]);
        return toComment(made);
      },
    },
  },
  async (ctx, { id, content, parentId }) => {
    const { db, caller, now } = ctx;
    const [task, comments, ...parents] = await db.batch([
      findTaskState(caller, id),
      countComments(caller, id),
      ...(parentId === undefined ? [] : [findCommentState(caller, id, parentId)]),
    ]);
    if (!task) throw taskNotFoundError(id);
    if (parentId !== undefined && parents[0]?.content == null)
      throw commentNotFoundError(id, parentId, 'parentId');
    requireUnarchived(task);
    rejectTooManyComments(id, comments);
    const [created] = await db.writeThenRead(
      [
        assertTaskWritable(caller, id),
        ...insertComment(caller, { task: id, content, replyTo: parentId ?? null }, now),
        ...recordNewComment(ctx, id, newestComment, content),
      ],
      [findComment(caller, newestComment)],
    );
    return toComment(created);
  },
);

export const updateComment = defineOperation(
  {
    name: 'updateComment',
    summary: 'Update one of your comments',
    description: "You can't change other people's comments. Newly mentioned people are notified.",
    access: 'tasks:write',
    capability: 'manageOwn',
    effect: 'write',
    input: commentUpdateInput,
    output: comment,
  },
  async (ctx, { id, commentId, content }) => {
    const { db, caller } = ctx;
    const key = { task: id, id: commentId };
    const { content: before } = await requireEditableComment(ctx, key, requireAuthor);
    requireCurrentSnapshot(ctx.snapshot, { content }, { content: before }, 'own');
    const [changed] = await db.writeThenRead(
      before === content
        ? []
        : [
            assertTaskWritable(caller, id),
            ...recordNewMentions(ctx, id, toIdParameter(commentId), content),
            ...rewriteComment(caller, key, { from: before, to: content }),
            ...recordCommentChange(ctx, id, 'comment.updated', toIdParameter(commentId), before),
          ],
      [findComment(caller, toIdParameter(commentId))],
    );
    return toComment(changed);
  },
);

export const deleteComment = defineOperation(
  {
    name: 'deleteComment',
    summary: 'Delete a comment',
    description: 'You can delete your own comments. Owners and admins can delete any comment.',
    access: 'tasks:write',
    capability: 'removeComments',
    effect: 'write',
    input: commentKeyInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id, commentId }) => {
    const { db, caller } = ctx;
    const key = { task: id, id: commentId };
    const deleted = await requireEditableComment(ctx, key, requireAuthorOrAdmin);
    await db.batch([
      assertTaskWritable(caller, id),
      ...removeComment(caller, key, ctx.reach === 'all'),
      ...recordCommentChange(ctx, id, 'comment.deleted', toIdParameter(commentId), deleted),
    ]);
    return { success: true as const };
  },
);

async function requireEditableComment(
  ctx: Context,
  { task, id }: CommentKey,
  requireRight: (ctx: Context, comment: number, author: number) => void,
): Promise<FormerComment> {
  const [found] = await ctx.db.batch([findCommentState(ctx.caller, task, id)]);
  if (!found) throw taskNotFoundError(task);
  const { author, content, archived, day, created_at, parent } = found;
  if (author === null || content === null || day === null || created_at === null)
    throw commentNotFoundError(task, id);
  requireRight(ctx, id, author);
  requireUnarchived({ id: task, archived });
  return { author, content, day, created_at, parent };
}
