import { type Role, roles } from '../../kernel/access/access.ts';
import { type AppError, forbidden, invalidRequest, notFound } from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { PersonState } from './people.queries.ts';

export function personNotFound(userId: string): AppError {
  return notFound('person', userId, ({ call }) => call('listUsers'));
}

/** Whether a role is above another: owners stand above admins, and so on. */
export function isAbove(role: Role, other: Role): boolean {
  return roles.indexOf(role) < roles.indexOf(other);
}

export function requireManager({ caller, reach }: Context) {
  if (reach === 'all') return;
  throw forbidden(
    `People of the workspace are managed by its owners and admins; your role is ${caller.role}. Ask one of them.`,
  );
}

/** Nobody manages an owner, or somebody whose role is above their own. */
export function requireManageable({ caller }: Context, person: PersonState) {
  if (person.role === 'owner') {
    throw forbidden('The owner hands the workspace over first; nobody else changes or ends their role.');
  }
  if (isAbove(person.role, caller.role)) {
    throw forbidden(`'${person.user_id}' has a role above yours. Ask an owner.`);
  }
}

export function requireGivable({ caller }: Context, role: Role) {
  if (role === 'owner') throw invalidRequest('Owner becomes who the workspace is handed over to.');
  if (isAbove(role, caller.role)) {
    throw forbidden(`The role ${role} is above yours, which is ${caller.role}. Ask an owner.`);
  }
}
