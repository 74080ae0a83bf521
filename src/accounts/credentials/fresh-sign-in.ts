import type { Caller } from '../../kernel/access/access.ts';
import { type AppError, unauthorizedError } from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import { countBrowserSessionsById, countFreshSignIns } from './fresh-sign-in.queries.ts';

/**
 * Returns 0 if the password has changed since the person signed in. A password change deletes browser sessions, and API
 * session tokens contain the time of the sign-in.
 */
export function countFreshSessions({ userId, credential }: Caller) {
  const { signedInAt, hash } = credential;
  return signedInAt === null ? countBrowserSessionsById(userId, hash) : countFreshSignIns(userId, signedInAt);
}

export async function requireFreshSignIn({ caller, request }: Pick<Context, 'caller' | 'request'>) {
  if (caller.credential.kind !== 'session') return;
  const [fresh] = await request.directory.batch([countFreshSessions(caller)]);
  if (fresh === 0) throw staleSignInError();
}

export function staleSignInError(): AppError {
  return unauthorizedError(
    ({ call }) =>
      `This account's password has changed since this session began, so the session can no longer be used to create credentials. Sign in again with ${call('login')}.`,
  );
}

/**
 * Calls `make` to create something that outlives the session, and `undo` if the password has changed in the meantime.
 */
export async function createWithFreshSignIn<T>(
  ctx: Pick<Context, 'caller' | 'request' | 'db'>,
  make: () => Promise<T>,
  undo: (made: T) => readonly Statement[],
): Promise<T> {
  await requireFreshSignIn(ctx);
  const made = await make();
  try {
    await requireFreshSignIn(ctx);
  } catch (error) {
    await ctx.db.undoWrites(undo(made));
    throw error;
  }
  return made;
}
