import type * as z from 'zod';
import { buildPage, buildSinglePage, toRange } from '../../kernel/lists/pagination.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { OperationResponse } from '../../kernel/operation/operation-response.ts';
import { isProvisionalId } from '../../kernel/operation/provisional-ids.ts';
import { assertUnchanged } from '../../kernel/sql/database.ts';
import { toComment } from '../../tasks/comments/comments.present.ts';
import { listComments } from '../../tasks/comments/comments.ts';
import type { Comment } from '../../tasks/summaries/summaries.schema.ts';
import { listStagedComments, type StagedCommentRow } from '../model/change-sets.queries.ts';
import { toProvisionalId } from '../model/limits.ts';
import { type PendingSet, readOpenSet } from './pending-set.ts';

/** Leaves out comments that an approval would skip. */
export function toPendingComments(
  { set, folded }: PendingSet,
  task: number,
  rows: readonly StagedCommentRow[],
): Comment[] {
  const kept = new Set(folded.tasks.get(task)?.comments);
  return rows.filter(({ no }) => kept.has(no)).map((row) => toStagedComment(set.id, row));
}

export function toStagedComment(set: number, row: StagedCommentRow): Comment {
  return toComment({ ...row, id: toProvisionalId(set, row.no) });
}

/** Provisional ids are higher than all others, so staged comments follow the stored ones. */
export async function listPendingComments(ctx: Context, input: z.output<typeof listComments.input>) {
  const pending = await readOpenSet(ctx);
  const { set, folded, isUnchanged } = pending;
  const { length: count } = folded.tasks.get(input.id)?.comments ?? [];
  if (count === 0) return isProvisionalId(input.id) ? buildSinglePage([]) : listComments.handler(ctx, input);
  const stored = isProvisionalId(input.id) ? null : await listComments.handler(ctx, input);
  const page = stored instanceof OperationResponse ? stored.body : stored;
  const [rows] = await ctx.db.batch([
    listStagedComments(ctx.caller, set.id, input.id),
    assertUnchanged(isUnchanged),
  ]);
  const range = toRange(input, 1);
  const after = Number(range.after?.[0] ?? 0);
  const staged = toPendingComments(pending, input.id, rows).filter(({ id }) => id > after);
  return buildPage({
    range,
    total: (page?.meta.total ?? 0) + count,
    rows: [...(page?.data ?? []), ...staged].slice(0, range.limit + 1),
    key: ({ id }) => [id],
    show: (comment) => comment,
  });
}
