import { asVisitor, readAs } from '../../accounts/browser-sessions/visitor.ts';
import { AppError, forbiddenError, unauthorizedError } from '../../kernel/errors/errors.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { getHub } from '../../kernel/operation/request-scope.ts';
import { seesEveryTask } from '../../tasks/visibility/task-visibility.queries.ts';
import type { Listener } from '../hub/workspace-hub.ts';

const RETRY_AFTER_SECONDS = 60;

/** Browsers send cookies with WebSockets from any site (RFC 6455 §10.2), so the Origin must be our own. */
export async function openLiveSocket(c: HttpContext): Promise<Response> {
  c.set('route', 'GET /app/:workspace/live');
  const scope = c.get('scope');
  if (c.req.header('Upgrade')?.toLowerCase() !== 'websocket') {
    throw new AppError('invalid_request', 'This address accepts only WebSockets. Send Upgrade: websocket.', {
      status: 426,
      headers: { Upgrade: 'websocket' },
    });
  }
  if (c.req.header('Origin') !== scope.origin) {
    throw forbiddenError(`Only pages of ${scope.origin} can connect here.`);
  }
  return asVisitor(c, c.req.param('workspace') ?? '', async (visitor) => {
    if (visitor.outcome === 'signed_out') throw unauthorizedError("You're signed out. Sign in again.");
    if (visitor.outcome === 'not_a_member')
      throw new AppError('not_found', "You don't belong to a workspace with this address.");
    const { caller } = await readAs(c, visitor, () => []);
    // The hub asks the cell whether the session is still open.
    await visitor.remembered;
    const listener: Listener = {
      member: caller.member,
      version: caller.version,
      idHash: visitor.browser.idHash,
      isLimited: !seesEveryTask(caller),
    };
    const opened = await getHub(scope.env, caller.cell, caller.workspace).fetch(scope.origin, {
      headers: { Upgrade: 'websocket', 'X-Listener': JSON.stringify(listener) },
    });
    if (opened.status === 429) throw tooManyPagesError();
    return opened;
  });
}

function tooManyPagesError(): AppError {
  return new AppError('rate_limited', 'You have too many pages open. Close some, then try again.', {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
}
