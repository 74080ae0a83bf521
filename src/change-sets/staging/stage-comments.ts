import type * as z from 'zod';
import { type AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { isProvisionalId } from '../../kernel/operation/provisional-ids.ts';
import { toSearchKey } from '../../search/index/search-key.ts';
import { listCommentedTasks } from '../../tasks/comments/add-comments.queries.ts';
import { type addComments, requireCommentableTask } from '../../tasks/comments/add-comments.ts';
import { type CommentState, findCommentState } from '../../tasks/comments/comments.queries.ts';
import type { addComment } from '../../tasks/comments/comments.ts';
import { listTaskStates } from '../../tasks/model/bulk-states.queries.ts';
import { commentNotFoundError } from '../../tasks/model/tasks.policy.ts';
import { listStagedComments, type NewItem, type StagedCommentRow } from '../model/change-sets.queries.ts';
import type { CommentTarget } from '../model/fold-items.ts';
import { toProvisionalId } from '../model/limits.ts';
import { toStagedComment } from '../pending/pending-comments.ts';
import { createPendingContext, readOpenSet } from '../pending/pending-set.ts';
import { stageItems } from './stage-items.ts';

export async function stageComment(
  ctx: Context,
  { id, content, parentId }: z.output<typeof addComment.input>,
) {
  if (parentId !== undefined && isProvisionalId(parentId)) throw stagedReplyError(parentId);
  const { set, writes } = await planComments(ctx, [id], content, { parentId });
  const [rows] = await ctx.db.writeThenRead(writes, [listStagedComments(ctx.caller, set.id, id)]);
  return toStagedComment(set.id, rows.at(-1) as StagedCommentRow);
}

export async function stageComments(ctx: Context, { ids, content }: z.output<typeof addComments.input>) {
  const { set, items, writes } = await planComments(ctx, ids, content, { isList: true });
  await ctx.db.batch(writes);
  return {
    comments: items.map(({ no, task }) => ({ id: toProvisionalId(set.id, no), taskId: task })),
  };
}

async function planComments(
  ctx: Context,
  ids: readonly number[],
  content: string,
  { isList = false, parentId }: { isList?: boolean; parentId?: number | undefined },
) {
  const pending = await readOpenSet(ctx);
  const { set, state } = pending;
  const { caller, db } = createPendingContext(ctx, pending, ids);
  const [states, counts, ...parents] = await db.batch([
    listTaskStates(caller, ids, 0),
    listCommentedTasks(caller, ids),
    ...ids.flatMap((id) => (parentId === undefined ? [] : [findCommentState(caller, id, parentId)])),
  ] as const);
  const targets = new Map<number, CommentTarget>();
  const items = ids.map((id, index): NewItem => {
    const task = counts.find((each) => each.id === id);
    requireCommentableTask(isList ? index : null, id, task);
    if (parentId !== undefined) requireParentComment(parents[index] ?? null, id, parentId);
    const no = set.items + 1 + index;
    const stored = state.tasks.get(id) ?? states.find((each) => each.id === id);
    const staged = pending.folded.tasks.get(id)?.comments.length ?? 0;
    targets.set(no, { comments: (task?.comments ?? 0) - staged, parent: parentId ?? null });
    return {
      no,
      task: id,
      operation: 'comment',
      version: isProvisionalId(id) ? null : (stored?.version ?? null),
      changes: parentId === undefined ? {} : { reply_to: parentId },
      before: {},
      text: content,
      textKey: toSearchKey(content),
    };
  });
  const { writes } = stageItems(ctx, pending, items, {
    touched: states.filter(({ id }) => !isProvisionalId(id)),
    commentTargets: targets,
  });
  return { set, items, writes };
}

function requireParentComment(found: CommentState | null, task: number, parentId: number) {
  if (found?.content == null) throw commentNotFoundError(task, parentId, 'parentId');
}

function stagedReplyError(parentId: number): AppError {
  return invalidRequestError(
    ({ field }) =>
      `${field('parentId')} ${parentId} is a staged comment, so it can't have replies yet. Comment on the task instead.`,
  );
}
