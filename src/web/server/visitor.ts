import {
  createBrowserAuthenticator,
  getCachedCaller,
} from '../../accounts/browser-sessions/browser-caller.ts';
import {
  type Browser,
  readBrowserInWorkspace,
  readSessionHash,
  type SignedInBrowser,
} from '../../accounts/browser-sessions/browser-session.ts';
import type { Caller } from '../../kernel/access/access.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import { executeTogether, type Read, type ReadResult } from '../../kernel/execute/execute-together.ts';
import type { HttpContext } from '../../kernel/http/http.ts';

export type ReadOutcome =
  | {
      readonly outcome: 'read';
      readonly browser: SignedInBrowser;
      readonly caller: Caller;
      readonly results: readonly ReadResult[];
    }
  | { readonly outcome: 'signed_out'; readonly browser: Browser }
  | { readonly outcome: 'not_a_member'; readonly browser: SignedInBrowser };

/**
 * Queries the directory and the cell at the same time if this isolate remembers the person, so that a page waits for
 * one trip. The result is used only if the directory confirms the session.
 */
export async function readAsVisitor(
  c: HttpContext,
  workspaceId: string,
  reads: (caller: Caller) => readonly Read[],
): Promise<ReadOutcome> {
  const [{ browser, cell }, found] = await Promise.all([
    readBrowserInWorkspace(c, workspaceId),
    readAsCachedCaller(c, workspaceId, reads),
  ]);
  const { person } = browser;
  if (!person) return { outcome: 'signed_out', browser };
  const signedIn = { ...browser, person };
  if (cell === null) return { outcome: 'not_a_member', browser: signedIn };
  if (found && found.caller.userId === person.id && found.caller.cell === cell) {
    return { outcome: 'read', browser: signedIn, ...found };
  }
  try {
    return {
      outcome: 'read',
      browser: signedIn,
      ...(await readAsPerson(c, signedIn, { workspaceId, cell }, reads)),
    };
  } catch (error) {
    if (isUnauthorized(error)) return { outcome: 'not_a_member', browser: signedIn };
    throw error;
  }
}

/** Returns null if no caller is remembered, or their access has changed. */
async function readAsCachedCaller(
  c: HttpContext,
  workspaceId: string,
  reads: (caller: Caller) => readonly Read[],
) {
  const idHash = readSessionHash(c);
  const known = idHash === null ? null : getCachedCaller(idHash, workspaceId);
  if (idHash === null || !known) return null;
  const { userId: id, cell, credential } = known;
  const session = { idHash, person: { id, expires_at: credential.expiresAt ?? 0 } };
  try {
    return await readAsPerson(c, session, { workspaceId, cell }, reads);
  } catch (error) {
    if (isUnauthorized(error)) return null;
    throw error;
  }
}

export function readAsPerson(
  c: HttpContext,
  session: Parameters<typeof createBrowserAuthenticator>[1],
  place: { workspaceId: string; cell: number },
  reads: (caller: Caller) => readonly Read[],
) {
  const scope = c.get('scope');
  return executeTogether(reads, {
    request: scope,
    authenticator: createBrowserAuthenticator(scope, session, place),
    cell: (caller) => scope.cell(caller.cell),
    accepted: (caller) => c.set('caller', caller),
  });
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unauthorized';
}
