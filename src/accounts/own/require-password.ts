import { invalidRequestError, unauthorizedError } from '../../kernel/errors/errors.ts';
import type { AccountContext } from '../../kernel/operation/operation.ts';
import { requireWithinRateLimit } from '../../kernel/rate-limit/rate-limit.ts';
import { verifyPassword } from '../passwords/passwords.ts';
import { toEmailKey } from '../sign-up/accounts.queries.ts';
import { countLoginAttempt, recordLoginResult } from '../sign-up/attempt-limits.ts';
import { findOwnAccount, type OwnAccount } from './own-account.queries.ts';

export async function requirePassword(
  ctx: AccountContext,
  password: string | undefined,
): Promise<OwnAccount> {
  const [own] = await ctx.directory.batch([findOwnAccount(ctx.account.id)]);
  return requireCorrectPassword(ctx, own, password);
}

export async function requireCorrectPassword(
  { request }: AccountContext,
  own: OwnAccount | null,
  password: string | undefined,
): Promise<OwnAccount> {
  if (!own) throw unauthorizedError('This account was deleted.');
  if (own.password_hash === null) return own;
  const emailKey = toEmailKey(own.email);
  requireWithinRateLimit(...(await countLoginAttempt(request, emailKey)));
  const isRight = await verifyPassword(password ?? '', own.password_hash);
  requireWithinRateLimit(await recordLoginResult(request, emailKey, isRight));
  if (!isRight)
    throw invalidRequestError(
      ({ field }) => `${field('password')} isn't your current password. Check it and try again.`,
    );
  return own;
}
