import QuickLRU from 'quick-lru';
import type { Caller } from '../../kernel/access/access.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import type { Authenticator } from '../../kernel/execute/execute.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { hashSecret } from '../../kernel/secrets/tokens.ts';
import { type PresentedCredential, parseCredential, unknownCredentialError } from './credential.ts';
import { guardCaller, recordCredentialUse } from './credentials.queries.ts';
import { getSessionIssuer, loadCaller } from './load-caller.ts';
import { verifySessionToken } from './session-token.ts';

const CACHED_CALLERS_MAX = 5000;
const CALLER_CACHE_MS = 10 * 60_000;
const USE_RECORD_INTERVAL_MS = 60 * 60_000;

/** Cached per isolate. Every batch checks the caller again, so a stale entry grants no access. */
const callers = new QuickLRU<string, Caller>({ maxSize: CACHED_CALLERS_MAX, maxAge: CALLER_CACHE_MS });
const recentlyRecorded = new QuickLRU<string, true>({
  maxSize: CACHED_CALLERS_MAX,
  maxAge: USE_RECORD_INTERVAL_MS,
});

export function authenticate(c: HttpContext): Authenticator {
  return createAuthenticator(c.get('scope'), c.req.header('Authorization'));
}

/** Returns whether this deployment could have issued the credential, even if it has expired or been revoked. */
export async function isPlausibleCredential(
  scope: RequestScope,
  authorization: string | undefined,
): Promise<boolean> {
  try {
    const presented = parseCredential(authorization);
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

  const getParsedCredential = () => {
    if (known) return known;
    const presented = parseCredential(authorization);
    // A session token is valid for one origin only, so the origin is part of the key.
    known = { presented, cacheKey: hashSecret(`${scope.origin} ${presented.credential}`) };
    return known;
  };

  const loadAndCacheCaller = async () => {
    const { presented, cacheKey } = getParsedCredential();
    const caller = await loadCaller(scope, presented);
    callers.set(cacheKey, caller);
    return caller;
  };

  return {
    async resolve() {
      const cached = callers.get(getParsedCredential().cacheKey);
      if (cached && isExpired(cached, scope.now)) throw unknownCredentialError(cached.credential.kind);
      // The workspace may have been upgraded since the caller was cached.
      const caller = cached && !lacksRequiredPlan(scope, cached) ? cached : await loadAndCacheCaller();
      if (lacksRequiredPlan(scope, caller)) throw planRequiredError();
      recordCredentialUseHourly(scope, caller);
      return caller;
    },
    forget() {
      callers.delete(getParsedCredential().cacheKey);
    },
    guard(caller) {
      return guardCaller(caller, scope.now);
    },
  };
}

function isExpired({ credential }: Caller, now: number): boolean {
  return credential.expiresAt !== null && credential.expiresAt <= now;
}

export function lacksRequiredPlan(scope: RequestScope, caller: Caller): boolean {
  return scope.config.enforceApiKeyPlan && caller.credential.kind === 'api_key' && caller.plan === 'free';
}

function planRequiredError(): AppError {
  return new AppError(
    'forbidden_plan',
    'API keys require the Medium or Pro plan. Upgrade this workspace, or use a session token.',
  );
}

function recordCredentialUseHourly(scope: RequestScope, { credential, cell }: Caller) {
  if (credential.kind === 'session' || recentlyRecorded.has(credential.hash)) return;
  recentlyRecorded.set(credential.hash, true);
  const database = scope.cellAfterResponse(cell);
  if (!database) return;
  scope.afterResponse('credential.touch', () =>
    database.batch([recordCredentialUse(credential.hash, scope.now, USE_RECORD_INTERVAL_MS)]),
  );
}
