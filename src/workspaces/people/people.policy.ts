import { type Role, roles } from '../../kernel/access/roles.ts';
import {
  type AppError,
  forbiddenError,
  invalidRequestError,
  notFoundError,
} from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { PersonState } from './people.queries.ts';

export function personNotFoundError(userId: string): AppError {
  return notFoundError('person', userId, ({ call }) => call('listUsers'));
}

export function isRoleAbove(role: Role, other: Role): boolean {
  return roles.indexOf(role) < roles.indexOf(other);
}

export function requireManager({ caller, reach }: Context) {
  if (reach === 'all') return;
  throw forbiddenError(
    `Only owners and admins can manage people; your role is ${caller.role}. Ask one of them.`,
  );
}

export function requireManageablePerson({ caller }: Context, person: PersonState) {
  if (person.role === 'owner') {
    throw forbiddenError(
      "The owner can't be removed or given another role. The owner must transfer the workspace first.",
    );
  }
  if (isRoleAbove(person.role, caller.role)) {
    throw forbiddenError(`'${person.user_id}' has a role above yours. Ask an owner to do this.`);
  }
}

export function requireGrantableRole({ caller }: Context, role: Role) {
  if (role === 'owner')
    throw invalidRequestError('A person becomes owner only when the owner transfers the workspace to them.');
  if (isRoleAbove(role, caller.role)) {
    throw forbiddenError(
      `You can't grant the ${role} role, because it is above your role, ${caller.role}. Ask an owner.`,
    );
  }
}
