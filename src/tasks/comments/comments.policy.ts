import { forbiddenError, invalidRequestError } from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';

/** The limit exists because reassigning a task rewrites all of its comments. */
export const COMMENTS_PER_TASK_MAX = 5_000;

export function rejectTooManyComments(task: number, comments: number) {
  if (comments < COMMENTS_PER_TASK_MAX) return;
  throw invalidRequestError(
    `A task can have up to ${COMMENTS_PER_TASK_MAX} comments; task ${task} has ${comments}. Delete some, or continue in another task.`,
  );
}

export function requireAuthor({ caller }: Context, id: number, author: number) {
  if (author === caller.member) return;
  throw forbiddenError(`Only the author of comment ${id} can change it.`);
}

export function requireAuthorOrAdmin({ caller, reach }: Context, id: number, author: number) {
  if (author === caller.member || reach === 'all') return;
  throw forbiddenError(
    `Only the comment's author, and workspace owners and admins, can delete comment ${id}.`,
  );
}
