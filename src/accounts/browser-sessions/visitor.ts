import type { Caller } from '../../kernel/access/access.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import type { Authenticator } from '../../kernel/execute/execute.ts';
import { executeTogether, type Read, type ReadResult } from '../../kernel/execute/execute-together.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { CostMeter } from '../../kernel/sql/cost.ts';
import { Database } from '../../kernel/sql/database.ts';
import {
  createBrowserAuthenticator,
  createSessionAuthenticator,
  UnknownVisitor,
  type WorkspacePlace,
} from './browser-caller.ts';
import { findSessionPerson } from './browser-session.queries.ts';
import {
  type Browser,
  readBrowserInWorkspace,
  readUncheckedBrowser,
  type SignedInBrowser,
} from './browser-session.ts';
import { limitBrowser } from './limit-browser.ts';
import { readPlaceCookie, setPlaceCookie } from './place-cookie.ts';
import {
  confirmWorkspaceSession,
  deleteWorkspaceSessions,
  insertWorkspaceSession,
  type WorkspaceSession,
} from './workspace-session.queries.ts';

/** A workspace member who is signed in with a browser. */
export interface VisitingMember extends WorkspacePlace {
  readonly outcome: 'member';
  readonly browser: SignedInBrowser;
  readonly authenticator: Authenticator;
  /** Resolves after the attempt to copy the session to the cell, even if the attempt failed. */
  readonly remembered: Promise<void>;
}

export type Visitor =
  | VisitingMember
  | { readonly outcome: 'signed_out'; readonly browser: Browser }
  | { readonly outcome: 'not_a_member'; readonly browser: SignedInBrowser };

/**
 * Runs `work` for the browser that opened a workspace. If the browser has opened the workspace before, only the cell is
 * asked: every batch checks the session there. If the cell has no copy of the session, nothing is written. Then the
 * directory is asked, and `work` runs again.
 */
export async function asVisitor<T>(
  c: HttpContext,
  workspaceId: string,
  work: (visitor: Visitor) => Promise<T>,
): Promise<T> {
  const known = await findInCell(c, workspaceId);
  if (known) {
    limitBrowser(c.get('scope'), known.browser);
    try {
      return await work(known);
    } catch (error) {
      if (!(error instanceof UnknownVisitor)) throw error;
    }
  }
  const visitor = await findInDirectory(c, workspaceId);
  if (!known && visitor.outcome === 'member') limitBrowser(c.get('scope'), visitor.browser);
  try {
    return await work(visitor);
  } catch (error) {
    if (!(error instanceof UnknownVisitor) || visitor.outcome !== 'member') throw error;
    return work({ outcome: 'not_a_member', browser: visitor.browser });
  }
}

/** Runs a member's reads in one database round trip. */
export function readAs(
  c: HttpContext,
  { authenticator }: VisitingMember,
  reads: (caller: Caller) => readonly Read[],
): Promise<{ caller: Caller; results: ReadResult[] }> {
  const scope = c.get('scope');
  return executeTogether(reads, {
    request: scope,
    authenticator,
    cell: (caller) => scope.cell(caller.cell),
    accepted: (caller) => c.set('caller', caller),
  });
}

async function findInCell(c: HttpContext, workspaceId: string): Promise<VisitingMember | null> {
  const scope = c.get('scope');
  const browser = readUncheckedBrowser(c);
  const place = browser && readPlaceCookie(c, browser.idHash, workspaceId);
  if (!place) return null;
  const { cell } = place;
  const authenticator = createSessionAuthenticator(scope, browser.idHash, { workspaceId, cell });
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
    if (error instanceof UnknownVisitor) return null;
    throw error;
  }
}

async function findInDirectory(c: HttpContext, workspaceId: string): Promise<Visitor> {
  const scope = c.get('scope');
  const { browser, cell } = await readBrowserInWorkspace(c, workspaceId);
  const { person } = browser;
  if (!person) return { outcome: 'signed_out', browser };
  const signedIn = { ...browser, person };
  if (cell === null) return { outcome: 'not_a_member', browser: signedIn };
  const authenticator = reportUnknown(createBrowserAuthenticator(scope, signedIn, { workspaceId, cell }));
  try {
    setPlaceCookie(c, browser.idHash, await authenticator.resolve());
  } catch (error) {
    if (error instanceof UnknownVisitor) return { outcome: 'not_a_member', browser: signedIn };
    throw error;
  }
  const session = {
    idHash: browser.idHash,
    userId: person.id,
    workspaceId,
    expiresAt: person.expires_at,
  };
  const remembered = Promise.withResolvers<void>();
  scope.afterAnswer('session.remember', () =>
    rememberInCell(scope, cell, session).finally(() => remembered.resolve()),
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

/** Throws `UnknownVisitor` instead of 401 if the person has left the workspace. */
function reportUnknown(authenticator: Authenticator): Authenticator {
  return {
    ...authenticator,
    resolve: () =>
      authenticator.resolve().catch((error: unknown) => {
        throw error instanceof AppError && error.code === 'unauthorized' ? new UnknownVisitor() : error;
      }),
  };
}

/**
 * Copies a session to a cell, and then asks the directory again. Deletes the copy if the session has ended by then. If it ends later, ending it also deletes the copy. */
async function rememberInCell(scope: RequestScope, no: number, session: WorkspaceSession): Promise<void> {
  const cell = scope.cellAfterAnswer(no);
  if (!cell) return;
  const directory = new Database(scope.env.DIRECTORY, new CostMeter());
  await cell.batch(insertWorkspaceSession(session, scope.now));
  const [person] = await directory.batch([findSessionPerson(session.idHash, scope.now)]);
  const { idHash: id_hash, userId: user_id } = session;
  await cell.batch([
    person ? confirmWorkspaceSession(session) : deleteWorkspaceSessions([{ id_hash, user_id }]),
  ]);
}

function toSessionPerson({ userId: id, email, name, image, credential }: Caller) {
  return { id, email, name, image, expires_at: credential.expiresAt ?? 0 };
}
