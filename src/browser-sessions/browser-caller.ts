import { guardCaller } from '../credentials/credentials.queries.ts';
import { loadMember } from '../credentials/load-caller.ts';
import type { SessionSubject } from '../credentials/session-token.ts';
import type { Authenticator } from '../kernel/execute.ts';
import type { RequestScope } from '../kernel/request-scope.ts';

/** Lets a signed-in browser run operations in one of its person's workspaces, like a session token of that person. */
export function browserAuthenticator(
  scope: RequestScope,
  session: { readonly idHash: string; readonly person: { id: string; expiresAt: number } },
  { workspaceId, cell }: Pick<SessionSubject, 'workspaceId' | 'cell'>,
): Authenticator {
  const { idHash: hash, person } = session;
  return {
    resolve: () =>
      loadMember(scope, { userId: person.id, workspaceId, cell }, { hash, expiresAt: person.expiresAt }),
    // Nothing is cached: pages are rare, and each page loads its caller.
    forget: () => undefined,
    guard: (caller) => guardCaller(caller, scope.now),
  };
}
