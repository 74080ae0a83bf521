import type { Caller } from '../../kernel/access/access.ts';
import { type AppError, unauthorized } from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import { countBrowserSession, countFreshSignIn } from './fresh-sign-in.queries.ts';

/**
 * A statement of the directory that counts 1 while the session of the caller may make new credentials: until the password
 * is changed, for a token by when its person first signed in, and for a browser by its session.
 */
export function countFresh({ userId, credential }: Caller) {
  const { signedInAt, hash } = credential;
  return signedInAt === null ? countBrowserSession(userId, hash) : countFreshSignIn(userId, signedInAt);
}

/** Throws 401 if the password was changed since the caller signed in. Keys and apps are not asked: they live on. */
export async function requireFreshSignIn({ caller, request }: Pick<Context, 'caller' | 'request'>) {
  if (caller.credential.kind !== 'session') return;
  const [fresh] = await request.directory.batch([countFresh(caller)]);
  if (fresh === 0) throw signedInBefore();
}

export function signedInBefore(): AppError {
  return unauthorized(
    ({ call }) =>
      `The password of this account has changed since this session signed in, so it can no longer create credentials. Sign in again with ${call('login')}.`,
  );
}

/**
 * Makes something that outlasts the session. The directory is asked before and after. Unless it says the second time that
 * the password is still the same, what was made is undone before it is answered.
 */
export async function whileFresh<T>(
  ctx: Pick<Context, 'caller' | 'request' | 'db'>,
  make: () => Promise<T>,
  undo: (made: T) => readonly Statement[],
): Promise<T> {
  await requireFreshSignIn(ctx);
  const made = await make();
  try {
    await requireFreshSignIn(ctx);
  } catch (error) {
    await ctx.db.undo(undo(made));
    throw error;
  }
  return made;
}
