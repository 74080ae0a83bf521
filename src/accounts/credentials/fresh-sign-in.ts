import type { Caller } from '../../kernel/access/access.ts';
import { AppError, unauthorized } from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
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
      `The password of this account was changed after this session signed in, so it gives no new credentials. Sign in again with ${call('login')}.`,
  );
}

/**
 * Makes something that outlasts the session. The directory is asked before and after, so that a password change in between
 * undoes what was made. If it doesn't answer the second time, the first answer counts: a 500 would have written something.
 */
export async function whileFresh<T>(
  ctx: Pick<Context, 'caller' | 'request'>,
  make: () => Promise<T>,
  undo: (made: T) => Promise<unknown>,
): Promise<T> {
  await requireFreshSignIn(ctx);
  const made = await make();
  try {
    await requireFreshSignIn(ctx);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'unauthorized')) return made;
    await undo(made);
    throw error;
  }
  return made;
}
