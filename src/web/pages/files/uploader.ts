import { createBrowserAuthenticator } from '../../../accounts/browser-sessions/browser-caller.ts';
import {
  readBrowserInWorkspace,
  type SignedInBrowser,
} from '../../../accounts/browser-sessions/browser-session.ts';
import type { Caller } from '../../../kernel/access/access.ts';
import { unauthorizedError } from '../../../kernel/errors/errors.ts';
import { execute } from '../../../kernel/execute/execute.ts';
import type { HttpContext } from '../../../kernel/http/http.ts';
import type { AnyOperation } from '../../../kernel/operation/operation.ts';
import type { IdempotencyKey } from '../../../kernel/sql/idempotency-key.ts';
import { pageNotFoundError } from '../../server/show-page.ts';

export interface Uploader {
  readonly browser: SignedInBrowser;
  readonly workspaceId: string;
  readonly cell: number;
}

export async function readUploader(c: HttpContext, method: string, path: string): Promise<Uploader> {
  c.set('route', `${method} ${path}`);
  const workspaceId = c.req.param('workspace') ?? '';
  const { browser, cell } = await readBrowserInWorkspace(c, workspaceId);
  const { person } = browser;
  if (!person)
    throw unauthorizedError("You're signed out. Sign in again in another tab, then continue here.");
  if (cell === null) throw pageNotFoundError();
  return { browser: { ...browser, person }, workspaceId, cell };
}

interface ExecuteOptions {
  /** The original request, which contains the bytes. */
  incoming?: Request;
  idempotencyKey?: (caller: Caller) => IdempotencyKey;
}

export function executeForUploader(
  c: HttpContext,
  { browser, workspaceId, cell }: Uploader,
  operation: AnyOperation,
  input: Record<string, unknown>,
  { incoming, idempotencyKey }: ExecuteOptions = {},
): Promise<{ output: unknown; isReplayed: boolean }> {
  const scope = c.get('scope');
  return execute(operation, {
    request: scope,
    authenticator: createBrowserAuthenticator(scope, browser, { workspaceId, cell }),
    input: () => input,
    ...(incoming && { incoming }),
    ...(idempotencyKey && { idempotencyKey }),
    cell: (caller) => scope.cell(caller.cell),
    accepted: (caller) => c.set('caller', caller),
  });
}
