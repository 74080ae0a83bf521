import { AppError, forbidden, unauthorized } from '../../kernel/errors/errors.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { hubOf } from '../../kernel/operation/request-scope.ts';
import { seesEveryTask } from '../../tasks/visibility/task-visibility.queries.ts';
import { readAsVisitor } from '../../web/server/visitor.ts';
import type { Listener } from '../hub/workspace-hub.ts';

const RETRY_AFTER_SECONDS = 60;

/**
 * Opens the WebSocket over which pages hear that something changed. Browsers send cookies with WebSockets from any site
 * (RFC 6455 section 10.2), so the Origin has to be our own.
 */
export async function openLive(c: HttpContext): Promise<Response> {
  c.set('route', 'GET /app/:workspace/live');
  const scope = c.get('scope');
  if (c.req.header('Upgrade')?.toLowerCase() !== 'websocket') {
    throw new AppError('invalid_request', 'This address takes WebSockets. Send Upgrade: websocket.', {
      status: 426,
      headers: { Upgrade: 'websocket' },
    });
  }
  if (c.req.header('Origin') !== scope.origin) {
    throw forbidden(`Only pages of ${scope.origin} may listen here.`);
  }
  const reading = await readAsVisitor(c, c.req.param('workspace') ?? '', () => []);
  if (reading.outcome === 'signed_out')
    throw unauthorized('Nobody is signed in in this browser. Sign in again.');
  if (reading.outcome === 'not_a_member')
    throw new AppError('not_found', 'You are in no workspace with this address.');
  const { caller, browser } = reading;
  const listener: Listener = {
    member: caller.member,
    version: caller.version,
    idHash: browser.idHash,
    isLimited: !seesEveryTask(caller),
  };
  const opened = await hubOf(scope.env, caller.cell, caller.workspace).fetch(scope.origin, {
    headers: { Upgrade: 'websocket', 'X-Listener': JSON.stringify(listener) },
  });
  if (opened.status === 429) throw tooManyPages();
  return opened;
}

function tooManyPages(): AppError {
  return new AppError('rate_limited', 'Too many of your pages listen here. Close some, then try again.', {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
}
