import type { CellJob } from '../../kernel/operation/jobs.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { type Allowance, countAffordableUnits, unlimitedAllowance } from '../../kernel/sql/budget.ts';
import type { Database } from '../../kernel/sql/database.ts';
import {
  hasTasksWithOutdatedComments,
  STATEMENTS_PER_OUTDATED_SLICE,
  updateOutdatedCommentSlice,
} from '../counters/comment-counts.queries.ts';
import { COMMENTS_PER_BATCH } from './relocate.ts';

const SLICES_PER_RUN_MAX = 100;

/** Updates the comments that a move, deletion or restore left for later. Runs can overlap and stop at any point. */
export const updateOutdatedComments: CellJob = {
  name: 'comments.update',
  cost: STATEMENTS_PER_OUTDATED_SLICE,
  isDue: hasTasksWithOutdatedComments,
  run: (scope, no, allowance) => updateOutdatedCommentSlices(scope.cell(no), allowance),
};

/** Does nothing if the batch has already updated all comments of these tasks. */
export function updateCommentsAfterResponse(
  { request, caller }: Context,
  tasks: readonly { comments: number }[],
) {
  if (tasks.reduce((sum, { comments }) => sum + comments, 0) <= COMMENTS_PER_BATCH) return;
  const cell = request.cellAfterResponse(caller.cell);
  if (cell)
    request.afterResponse('comments.update', () => updateOutdatedCommentSlices(cell, unlimitedAllowance));
}

async function updateOutdatedCommentSlices(cell: Database, allowance: Allowance): Promise<boolean> {
  const slices = countAffordableUnits(allowance, STATEMENTS_PER_OUTDATED_SLICE, SLICES_PER_RUN_MAX);
  for (let slice = 0; slice < slices; slice += 1) {
    const [, , left] = await cell.batch(updateOutdatedCommentSlice());
    if (left.length === 0) return false;
  }
  return true;
}
