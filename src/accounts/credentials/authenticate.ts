import QuickLRU from 'quick-lru';
import type { Caller } from '../../kernel/access/access.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import type { Authenticator } from '../../kernel/execute/execute.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { hashSecret } from '../../kernel/secrets/tokens.ts';
import { type PresentedCredential, readCredential, unknownCredentialError } from './credential.ts';
import { guardCaller, touchCredential } from './credentials.queries.ts';
import { getSessionIssuer, loadCaller } from './load-caller.ts';
import { verifySessionToken } from './session-token.ts';

const CALLERS_MAX = 5000;
const CALLER_MS = 10 * 60_000;
const TOUCH_MS = 60 * 60_000;

/** Cached per isolate. Every batch checks the caller again, so a stale entry can't grant access. */
const callers = new QuickLRU<string, Caller>({ maxSize: CALLERS_MAX, maxAge: CALLER_MS });
const recentlyTouched = new QuickLRU<string, true>({ maxSize: CALLERS_MAX, maxAge: TOUCH_MS });

export function authenticate(c: HttpContext): Authenticator {
  return createAuthenticator(c.get('scope'), c.req.header('Authorization'));
}

/** Returns whether this deployment could have issued the credential, even if it has expired or was revoked. */
export async function wasIssued(scope: RequestScope, authorization: string | undefined): Promise<boolean> {
  try {
    const presented = readCredential(authorization);
    return (
      presented.kind !== 'session' ||
      (await verifySessionToken(getSessionIssuer(scope), presented.credential, 0)) !== null
    );
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

function createAuthenticator(scope: RequestScope, authorization: string | undefined): Authenticator {
  let known: { presented: PresentedCredential; cacheKey: string } | undefined;

  const present = () => {
    if (known) return known;
    const presented = readCredential(authorization);
    // A session token is valid for one origin only, so the origin is part of the key.
    known = { presented, cacheKey: hashSecret(`${scope.origin} ${presented.credential}`) };
    return known;
  };

  const load = async () => {
    const { presented, cacheKey } = present();
    const caller = await loadCaller(scope, presented);
    callers.set(cacheKey, caller);
    return caller;
  };

  return {
    async resolve() {
      const cached = callers.get(present().cacheKey);
      if (cached && isExpired(cached, scope.now)) throw unknownCredentialError(cached.credential.kind);
      // The plan may have been upgraded since the caller was cached, so reload before refusing.
      const caller = cached && !lacksPlan(scope, cached) ? cached : await load();
      if (lacksPlan(scope, caller)) throw planError();
      touchHourly(scope, caller);
      return caller;
    },
    forget() {
      callers.delete(present().cacheKey);
    },
    guard(caller) {
      return guardCaller(caller, scope.now);
    },
  };
}

function isExpired({ credential }: Caller, now: number): boolean {
  return credential.expiresAt !== null && credential.expiresAt <= now;
}

export function lacksPlan(scope: RequestScope, caller: Caller): boolean {
  return scope.config.enforceApiKeyPlan && caller.credential.kind === 'api_key' && caller.plan === 'free';
}

function planError(): AppError {
  return new AppError(
    'forbidden_plan',
    'API keys require the medium or pro plan. Upgrade this workspace, or use a session token.',
  );
}

function touchHourly(scope: RequestScope, { credential, cell }: Caller) {
  if (credential.kind === 'session' || recentlyTouched.has(credential.hash)) return;
  recentlyTouched.set(credential.hash, true);
  const database = scope.cellAfterAnswer(cell);
  if (!database) return;
  scope.afterAnswer('credential.touch', () =>
    database.batch([touchCredential(credential.hash, scope.now, TOUCH_MS)]),
  );
}
