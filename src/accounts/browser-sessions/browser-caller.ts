import QuickLRU from 'quick-lru';
import { type Caller, scopes } from '../../kernel/access/access.ts';
import type { Authenticator } from '../../kernel/execute/execute.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { guardCaller } from '../credentials/credentials.queries.ts';
import { loadSessionCaller, toCallerFields } from '../credentials/load-caller.ts';
import { findSessionCaller, guardSessionCaller } from './workspace-session.queries.ts';

const CACHED_CALLERS_MAX = 2000;
const CALLER_CACHE_MS = 10 * 60_000;

/** Cached per isolate. Every batch checks the caller again, so a stale entry grants no access. */
const callers = new QuickLRU<string, Caller>({ maxSize: CACHED_CALLERS_MAX, maxAge: CALLER_CACHE_MS });

export interface WorkspaceInCell {
  readonly workspaceId: string;
  readonly cell: number;
}

export class UnknownVisitorError extends Error {}

/** Authenticates a session with its copy in the cell. Each batch checks that the session is still open. */
export function createCellSessionAuthenticator(
  scope: RequestScope,
  idHash: string,
  place: WorkspaceInCell,
): Authenticator {
  return {
    ...createCachedResolver(idHash, place, async () => {
      const { workspaceId, cell } = place;
      const [found] = await scope.cell(cell).batch([findSessionCaller(idHash, workspaceId, scope.now)]);
      if (!found) throw new UnknownVisitorError();
      const credential = {
        kind: 'session',
        hash: idHash,
        expiresAt: found.expires_at,
        id: null,
        signedInAt: null,
      } as const;
      return { ...toCallerFields(found), credential, scopes, cell };
    }),
    guard: (caller) => guardSessionCaller(caller, idHash, scope.now),
  };
}

/** Authenticates a session that the directory has just confirmed, so each batch checks only the membership. */
export function createDirectorySessionAuthenticator(
  scope: RequestScope,
  { idHash: hash, person }: { readonly idHash: string; readonly person: { id: string; expires_at: number } },
  place: WorkspaceInCell,
): Authenticator {
  return {
    ...createCachedResolver(hash, place, () =>
      loadSessionCaller(scope, { userId: person.id, ...place }, { hash, expiresAt: person.expires_at }),
    ),
    guard: (caller) => guardCaller(caller, scope.now),
  };
}

function createCachedResolver(
  idHash: string,
  { workspaceId, cell }: WorkspaceInCell,
  load: () => Promise<Caller>,
): Omit<Authenticator, 'guard'> {
  const key = `${idHash} ${workspaceId}`;
  return {
    async resolve() {
      const known = callers.get(key);
      if (known?.cell === cell) return known;
      const caller = await load();
      callers.set(key, caller);
      return caller;
    },
    forget: () => {
      callers.delete(key);
    },
  };
}
