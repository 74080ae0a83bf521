import QuickLRU from 'quick-lru';
import type { Caller } from '../../kernel/access/access.ts';
import type { Authenticator } from '../../kernel/execute/execute.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { guardCaller } from '../credentials/credentials.queries.ts';
import { loadMember } from '../credentials/load-caller.ts';
import type { SessionSubject } from '../credentials/session-token.ts';

const CALLERS_MAX = 2000;
const CALLER_MS = 10 * 60_000;

/** Cached per isolate. The guard in every batch catches stale entries. */
const callers = new QuickLRU<string, Caller>({ maxSize: CALLERS_MAX, maxAge: CALLER_MS });

/** May be stale, and doesn't check that the session is still valid. */
export function getCachedCaller(idHash: string, workspaceId: string): Caller | null {
  return callers.get(`${idHash} ${workspaceId}`) ?? null;
}

export function createBrowserAuthenticator(
  scope: RequestScope,
  session: { readonly idHash: string; readonly person: { id: string; expires_at: number } },
  { workspaceId, cell }: Pick<SessionSubject, 'workspaceId' | 'cell'>,
): Authenticator {
  const { idHash: hash, person } = session;
  const cacheKey = `${hash} ${workspaceId}`;
  return {
    async resolve() {
      const cached = callers.get(cacheKey);
      if (cached && cached.userId === person.id && cached.cell === cell) return cached;
      const subject = { userId: person.id, workspaceId, cell };
      const caller = await loadMember(scope, subject, { hash, expiresAt: person.expires_at });
      callers.set(cacheKey, caller);
      return caller;
    },
    forget: () => {
      callers.delete(cacheKey);
    },
    guard: (caller) => guardCaller(caller, scope.now),
  };
}
