import type { Caller } from '../../kernel/access/access.ts';
import { describeRequestSource } from '../../kernel/audit/record-audit.queries.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import type { Authenticator } from '../../kernel/execute/execute.ts';
import { type BatchedRead, executeReads, type ReadResult } from '../../kernel/execute/execute-reads.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { CostMeter } from '../../kernel/sql/cost.ts';
import { Database } from '../../kernel/sql/database.ts';
import {
  createCellSessionAuthenticator,
  createDirectorySessionAuthenticator,
  UnknownVisitorError,
  type WorkspaceInCell,
} from './browser-caller.ts';
import { findPersonBySession } from './browser-session.queries.ts';
import {
  type Browser,
  readBrowserInWorkspace,
  readUncheckedBrowser,
  type SignedInBrowser,
} from './browser-session.ts';
import { limitBrowserRequests } from './limit-browser.ts';
import { readLocationCookie, setLocationCookie } from './location-cookie.ts';
import {
  confirmWorkspaceSession,
  endWorkspaceSessions,
  insertWorkspaceSession,
  type WorkspaceSession,
} from './workspace-session.queries.ts';

export interface VisitingMember extends WorkspaceInCell {
  readonly outcome: 'member';
  readonly browser: SignedInBrowser;
  readonly authenticator: Authenticator;
  /** Resolves when the session has been copied to the cell, or when copying it has failed. */
  readonly remembered: Promise<void>;
}

export type Visitor =
  | VisitingMember
  | { readonly outcome: 'signed_out'; readonly browser: Browser }
  | { readonly outcome: 'not_a_member'; readonly browser: SignedInBrowser };

/**
 * If a cookie names the cell, `work` first runs without checking the session in the directory, because every batch
 * checks it in the cell. If the cell has no copy of the session, nothing is written, and `work` runs again after
 * the directory has been checked.
 */
export async function runAsVisitor<T>(
  c: HttpContext,
  workspaceId: string,
  work: (visitor: Visitor) => Promise<T>,
): Promise<T> {
  const known = await findVisitorInCell(c, workspaceId);
  if (known) {
    limitBrowserRequests(c.get('scope'), known.browser);
    try {
      return await work(known);
    } catch (error) {
      if (!(error instanceof UnknownVisitorError)) throw error;
    }
  }
  const visitor = await findVisitorInDirectory(c, workspaceId);
  if (!known && visitor.outcome === 'member') limitBrowserRequests(c.get('scope'), visitor.browser);
  try {
    return await work(visitor);
  } catch (error) {
    if (!(error instanceof UnknownVisitorError) || visitor.outcome !== 'member') throw error;
    return work({ outcome: 'not_a_member', browser: visitor.browser });
  }
}

export function readAsMember(
  c: HttpContext,
  { authenticator }: VisitingMember,
  reads: (caller: Caller) => readonly BatchedRead[],
): Promise<{ caller: Caller; results: ReadResult[] }> {
  const scope = c.get('scope');
  return executeReads(reads, {
    request: scope,
    authenticator,
    cell: (caller) => scope.cell(caller.cell),
    accepted: (caller) => c.set('caller', caller),
  });
}

async function findVisitorInCell(c: HttpContext, workspaceId: string): Promise<VisitingMember | null> {
  const scope = c.get('scope');
  const browser = readUncheckedBrowser(c);
  const place = browser && readLocationCookie(c, browser.idHash, workspaceId);
  if (!place) return null;
  const { cell } = place;
  const authenticator = createCellSessionAuthenticator(scope, browser.idHash, { workspaceId, cell });
  try {
    const person = toSessionPerson(await authenticator.resolve());
    const remembered = Promise.resolve();
    return {
      outcome: 'member',
      browser: { ...browser, person },
      workspaceId,
      cell,
      authenticator,
      remembered,
    };
  } catch (error) {
    if (error instanceof UnknownVisitorError) return null;
    throw error;
  }
}

async function findVisitorInDirectory(c: HttpContext, workspaceId: string): Promise<Visitor> {
  const scope = c.get('scope');
  const { browser, cell } = await readBrowserInWorkspace(c, workspaceId);
  const { person } = browser;
  if (!person) return { outcome: 'signed_out', browser };
  const signedIn = { ...browser, person };
  if (cell === null) return { outcome: 'not_a_member', browser: signedIn };
  const authenticator = convertUnauthorizedErrors(
    createDirectorySessionAuthenticator(scope, signedIn, { workspaceId, cell }),
  );
  try {
    setLocationCookie(c, browser.idHash, await authenticator.resolve());
  } catch (error) {
    if (error instanceof UnknownVisitorError) return { outcome: 'not_a_member', browser: signedIn };
    throw error;
  }
  const session = {
    idHash: browser.idHash,
    userId: person.id,
    workspaceId,
    expiresAt: person.expires_at,
    from: describeRequestSource(scope),
  };
  const remembered = Promise.withResolvers<void>();
  scope.afterResponse('session.remember', () =>
    copySessionToCell(scope, cell, session).finally(() => remembered.resolve()),
  );
  return {
    outcome: 'member',
    browser: signedIn,
    workspaceId,
    cell,
    authenticator,
    remembered: remembered.promise,
  };
}

function convertUnauthorizedErrors(authenticator: Authenticator): Authenticator {
  return {
    ...authenticator,
    resolve: () =>
      authenticator.resolve().catch((error: unknown) => {
        throw error instanceof AppError && error.code === 'unauthorized' ? new UnknownVisitorError() : error;
      }),
  };
}

/** Checks the directory again after copying, because a session that has just ended must not leave a copy. */
async function copySessionToCell(scope: RequestScope, no: number, session: WorkspaceSession): Promise<void> {
  const cell = scope.cellAfterResponse(no);
  if (!cell) return;
  const directory = new Database(scope.env.DIRECTORY, new CostMeter());
  await cell.batch(insertWorkspaceSession(session, scope.now));
  const [person] = await directory.batch([findPersonBySession(session.idHash, scope.now)]);
  const { idHash: id_hash, userId: user_id } = session;
  await cell.batch(
    person
      ? [confirmWorkspaceSession(session)]
      : endWorkspaceSessions([{ id_hash, user_id }], session.from, scope.now),
  );
}

function toSessionPerson({ userId: id, email, name, image, credential }: Caller) {
  return { id, email, name, image, expires_at: credential.expiresAt ?? 0 };
}
