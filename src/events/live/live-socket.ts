import { readSessionHash } from '../../accounts/browser-sessions/browser-session.ts';
import {
  type MembershipLocation,
  readLocationCookie,
} from '../../accounts/browser-sessions/location-cookie.ts';
import { readAsMember, runAsVisitor } from '../../accounts/browser-sessions/visitor.ts';
import { AppError, forbiddenError, unauthorizedError } from '../../kernel/errors/errors.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { getWorkspaceHub } from '../../kernel/operation/request-scope.ts';
import type { Listener } from '../hub/sockets.ts';

const RETRY_AFTER_SECONDS = 60;

/** Browsers send cookies with a WebSocket request from any site (RFC 6455, 10.2), so the origin must be our own. */
export async function openLiveSocket(c: HttpContext): Promise<Response> {
  c.set('route', 'GET /app/:workspace/live');
  const scope = c.get('scope');
  if (c.req.header('Upgrade')?.toLowerCase() !== 'websocket') {
    throw new AppError('invalid_request', 'This URL accepts only WebSockets. Send Upgrade: websocket.', {
      status: 426,
      headers: { Upgrade: 'websocket' },
    });
  }
  if (c.req.header('Origin') !== scope.origin) {
    throw forbiddenError(`Only pages from ${scope.origin} can connect here.`);
  }
  const { cell, workspace, ...listener } = await findListener(c, c.req.param('workspace') ?? '');
  const opened = await getWorkspaceHub(scope.env, cell, workspace).fetch(scope.origin, {
    headers: { Upgrade: 'websocket', 'X-Listener': JSON.stringify(listener) },
  });
  if (opened.status === 429) throw tooManyPagesError();
  return opened;
}

/** Needs no query if the cookie names the workspace. The hub checks access before it sends anything. */
async function findListener(c: HttpContext, workspaceId: string): Promise<MembershipLocation & Listener> {
  const idHash = readSessionHash(c);
  const known = idHash === null ? null : readLocationCookie(c, idHash, workspaceId);
  if (idHash !== null && known) return { ...known, idHash };
  return runAsVisitor(c, workspaceId, async (visitor) => {
    if (visitor.outcome === 'signed_out') throw unauthorizedError("You're signed out. Sign in again.");
    if (visitor.outcome === 'not_a_member')
      throw new AppError('not_found', "You don't belong to a workspace with this URL.");
    const { caller } = await readAsMember(c, visitor, () => []);
    await visitor.remembered;
    const { cell, workspace, member } = caller;
    return { cell, workspace, member, idHash: visitor.browser.idHash };
  });
}

function tooManyPagesError(): AppError {
  return new AppError('rate_limited', 'You have too many pages open. Close some, then try again.', {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
}
