import type { Caller } from '../../kernel/access/access.ts';
import { getReach } from '../../kernel/access/capabilities.ts';
import { forbiddenError, notFoundError } from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { isRoleAbove } from '../people/people.policy.ts';
import type { BotRow } from './bots.queries.ts';

export function canRevokeKeys(caller: Caller, { accountable }: Pick<BotRow, 'accountable'>): boolean {
  return getReach(caller, 'managePeople') === 'all' || accountable === caller.member;
}

export function requireBotManager(ctx: Context) {
  if (ctx.reach !== 'all') throw managersOnlyError(ctx);
}

export function managersOnlyError({ caller }: Context) {
  return forbiddenError(
    `Only owners and admins can manage bots; your role is ${caller.role}. Ask one of them.`,
  );
}

export function requireManageableBot({ caller }: Context, { role }: Pick<BotRow, 'role'>) {
  if (isRoleAbove(role, caller.role)) throw forbiddenError('This bot has a role above yours. Ask an owner.');
}

export function botNotFoundError(id: string) {
  return notFoundError('bot', id, 'the list of bots in the app');
}
