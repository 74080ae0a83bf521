import {
  type AppError,
  forbiddenError,
  invalidRequestError,
  notFoundError,
} from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { FilterRow } from '../../tasks/saved-filters/saved-filters.queries.ts';
import type { TaskFilter } from '../../tasks/saved-filters/task-filter.ts';
import { LINKS_MAX } from './public-links.schema.ts';

const endedStatuses: readonly string[] = ['completed', 'cancelled'];

export function describeProjectProblem({ status }: { status: string }): string | null {
  return endedStatuses.includes(status)
    ? 'This project is completed or canceled, so its links and form are paused until you reopen it.'
    : null;
}

/** Visitors aren't members, so a filter for “me” matches nothing for them. */
export function describeFilterProblem(
  { is_shared }: Pick<FilterRow, 'is_shared'>,
  { assignee = [], archived, fields = [] }: TaskFilter,
): string | null {
  if (is_shared === 0) return "This filter isn't shared with the workspace. Share it first.";
  if (archived) return "Archived tasks can't be shared. Change the filter first.";
  if (assignee.includes('me') || fields.some((pair) => pair.endsWith('-me')))
    return 'This filter depends on who is viewing it. Choose people instead of “me” first.';
  return null;
}

export function requirePermissionToShareFilters({ caller, reach }: Pick<Context, 'caller' | 'reach'>) {
  if (reach === 'all') return;
  throw forbiddenError(
    `Only workspace owners and admins can create public links to filters; your role is ${caller.role}. Ask one of them.`,
  );
}

export function linkToManageNotFoundError(id: number): AppError {
  return notFoundError('public link', id, () => 'the list of public links');
}

export function tooManyLinksError(): AppError {
  return invalidRequestError(`There are already ${LINKS_MAX} links. Revoke one first.`);
}
