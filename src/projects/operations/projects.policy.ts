import {
  type AppError,
  forbiddenError,
  invalidRequestError,
  notFoundError,
} from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { projectNotFoundError } from '../../tasks/visibility/project-visibility.policy.ts';
import type { ProjectState } from './project-changes.queries.ts';

export function requirePermissionToCreateProjects({ caller, reach }: Context) {
  if (reach === 'all') return;
  throw forbiddenError(
    `You can't create projects with the ${caller.role} role. Ask someone with another role.`,
  );
}

export function mayChangeProject(
  { caller, reach }: Pick<Context, 'caller' | 'reach'>,
  owner: number,
): boolean {
  return reach === 'all' || (reach === 'own' && owner === caller.member);
}

export function requireEditableProject(ctx: Context, id: number, project: ProjectState | null): ProjectState {
  if (!project) throw projectNotFoundError(id);
  if (mayChangeProject(ctx, project.owner)) return project;
  throw forbiddenError(
    `Only the project lead, and workspace owners and admins, can change project ${id}. Ask one of them.`,
  );
}

export function personNotInWorkspaceError(userIds: readonly string[]): AppError {
  return invalidRequestError(
    ({ call }) =>
      `${userIds.map((id) => `'${id}'`).join(', ')} ${userIds.length === 1 ? 'is not a member' : 'are not members'} of this workspace. ${call('listUsers')} lists the members.`,
  );
}

export function personNotInProjectError(id: number, userId: string): AppError {
  return notFoundError('project member', userId, ({ call }) => call('listProjectMembers', { id }));
}
