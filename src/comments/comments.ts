import * as z from 'zod';
import { insertCommentActivity } from '../activities/activities.queries.ts';
import { operation } from '../kernel/operation.ts';
import { page, pageInput, pageOf, rangeOf } from '../kernel/pagination.ts';
import { integerId } from '../kernel/schema.ts';
import { notifyFollowers } from '../notifications/notify.queries.ts';
import { follow } from '../tasks/count-changes.queries.ts';
import { idOf, oneTask } from '../tasks/selection.queries.ts';
import { requireUnarchived, taskNotFound } from '../tasks/tasks.policy.ts';
import { assertWritable, findTaskState } from '../tasks/tasks.queries.ts';
import { toComment } from './comments.present.ts';
import {
  countComments,
  findComment,
  insertComment,
  newestComment,
  listComments as selectComments,
} from './comments.queries.ts';
import { comment, commentContent } from './comments.schema.ts';

export const listComments = operation(
  {
    name: 'listComments',
    summary: "List a task's comments, oldest first",
    access: 'tasks:read',
    effect: 'read',
    input: z.strictObject({ id: integerId, ...pageInput }),
    output: pageOf(comment).meta({ id: 'CommentPage' }),
  },
  async ({ db, caller, request }, { id, ...input }) => {
    const range = rangeOf(input, 1);
    const [total, rows] = await db.batch([countComments(caller, id), selectComments(caller, id, range)]);
    if (total < 0) throw taskNotFound(id);
    return page(request, { range, total, rows, key: (row) => [row.id], show: toComment });
  },
);

export const addComment = operation(
  {
    name: 'addComment',
    summary: 'Comment on a task',
    access: 'tasks:write',
    effect: 'write',
    input: z.strictObject({ id: integerId, content: commentContent }),
    output: comment,
    repeat: {
      entity: newestComment,
      answer: async ({ db, caller }, _input, id) => {
        const [made] = await db.batch([findComment(caller, idOf(id))]);
        return toComment(made);
      },
    },
  },
  async (ctx, { id, content }) => {
    const { db, caller, now } = ctx;
    const [task] = await db.batch([findTaskState(caller, id)]);
    if (!task) throw taskNotFound(id);
    requireUnarchived(task);
    const [created] = await db.writeThenRead(
      [
        assertWritable(caller, id),
        ...insertComment(caller, id, content, now),
        insertCommentActivity(ctx, id),
        ...notifyFollowers(ctx, 'comment_added', oneTask(id)),
        ...follow(caller.workspace, caller.member, oneTask(id)),
      ],
      [findComment(caller, newestComment)],
    );
    return toComment(created);
  },
);
