import * as z from 'zod';
import { AppError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { toIdParameter } from '../../kernel/sql/expressions.queries.ts';
import { formatWording } from '../../kernel/text/wording.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { requireUnarchived } from '../write/edit-task.ts';
import { recordNewComments } from '../write/tasks.write.ts';
import {
  type CommentedTask,
  insertComments,
  listCommentedTasks,
  listNewComments,
  selectNewCommentIds,
} from './add-comments.queries.ts';
import { rejectTooManyComments } from './comments.policy.ts';
import { newestComment } from './comments.queries.ts';
import { commentContent } from './comments.schema.ts';

const COMMENTED_TASKS_MAX = 50;

export const addComments = defineOperation(
  {
    name: 'addComments',
    summary: 'Add the same comment to several tasks, all or nothing',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: z.strictObject({
      ids: z
        .array(integerId)
        .min(1)
        .max(COMMENTED_TASKS_MAX)
        .refine((ids) => new Set(ids).size === ids.length, {
          message: 'must not contain the same task twice',
        }),
      content: commentContent,
    }),
    output: z.object({ comments: z.array(z.object({ id: z.int(), taskId: z.int() })) }),
    replay: {
      entity: newestComment,
      async rebuild({ db, caller }, { ids }, newest) {
        const [comments] = await db.batch([listNewComments(caller, ids.length, toIdParameter(newest))]);
        return { comments };
      },
    },
  },
  async (ctx, { ids, content }) => {
    const { db, caller, now } = ctx;
    const [tasks] = await db.batch([listCommentedTasks(caller, ids)]);
    for (const [index, id] of ids.entries()) {
      requireCommentableTask(
        index,
        id,
        tasks.find((task) => task.id === id),
      );
    }
    const [comments] = await db.writeThenRead(
      [
        ...insertComments(caller, ids, content, now),
        ...recordNewComments(ctx, ids, selectNewCommentIds(ids.length), content),
      ],
      [listNewComments(caller, ids.length)],
    );
    return { comments };
  },
);

/** @param index the task's position in a list, or null if the request names one task. */
export function requireCommentableTask(index: number | null, id: number, task: CommentedTask | undefined) {
  try {
    if (!task) throw taskNotFoundError(id);
    requireUnarchived(task);
    rejectTooManyComments(id, task.comments);
  } catch (error) {
    if (!(error instanceof AppError) || index === null) throw error;
    throw new AppError(
      error.code,
      (words) => `${words.field('ids')}[${index}]: ${formatWording(error.wording, words)}`,
    );
  }
}
