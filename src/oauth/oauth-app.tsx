import { type Handler, Hono } from 'hono';
import { toServiceError } from '../kernel/errors/database-unavailable.ts';
import { AppError } from '../kernel/errors/errors.ts';
import { limitBody } from '../kernel/http/bounded-body.ts';
import type { HttpContext, HttpEnv } from '../kernel/http/http.ts';
import { describeError, log } from '../kernel/operation/log.ts';
import { formatWording } from '../kernel/text/wording.ts';
import { restErrorWords } from '../registry.ts';
import { registerClient } from './clients/register-client.ts';
import { RedirectedOAuthError } from './consent/authorization-request.ts';
import { authorizeHandlers } from './consent/authorize.tsx';
import { sendOAuthErrorPage } from './consent/consent-page.tsx';
import { handleDecision } from './consent/handle-decision.tsx';
import { oauthCorsMiddleware } from './protocol/cross-origin.ts';
import { sendResourceMetadata, sendServerMetadata } from './protocol/metadata.ts';
import { OAuthError } from './protocol/oauth-error.ts';
import { exchangeCode } from './tokens/exchange-code.ts';
import { revokeToken } from './tokens/revoke-token.ts';

const BODY_BYTES_MAX = 64 * 1024;

type Endpoint = readonly [method: 'GET' | 'POST', path: string, ...handlers: Handler<HttpEnv>[]];

const crossOriginEndpoints: readonly Endpoint[] = [
  ['GET', '/.well-known/oauth-protected-resource', sendResourceMetadata],
  ['GET', '/.well-known/oauth-protected-resource/mcp', sendResourceMetadata],
  ['GET', '/.well-known/oauth-authorization-server', sendServerMetadata],
  ['POST', '/api/oauth/register', ...registerClient],
  ['POST', '/api/oauth/token', ...exchangeCode],
  ['POST', '/api/oauth/revoke', ...revokeToken],
];

const pageEndpoints: readonly Endpoint[] = [
  ['GET', '/api/oauth/authorize', ...authorizeHandlers],
  ['POST', '/api/oauth/authorize', handleDecision],
];

export const oauthApp = new Hono<HttpEnv>();

const bodyLimitError = (message: string) => new OAuthError('invalid_request', message);
oauthApp.use('/api/oauth/*', limitBody(BODY_BYTES_MAX, { buildError: bodyLimitError }));
for (const [, path] of crossOriginEndpoints) oauthApp.use(path, oauthCorsMiddleware);
for (const [method, path, ...handlers] of [...crossOriginEndpoints, ...pageEndpoints]) {
  const setRoute: Handler<HttpEnv> = async (c, next) => {
    c.set('route', `${method} ${path}`);
    await next();
  };
  oauthApp.on(method, path, setRoute, ...handlers);
}
for (const path of new Set([...crossOriginEndpoints, ...pageEndpoints].map(([, path]) => path))) {
  oauthApp.all(path, rejectUnsupportedMethod);
}

oauthApp.onError(async (error, c) => {
  if (error instanceof RedirectedOAuthError) return c.redirect(error.location, 303);
  const oauthError = toOAuthError(c, error);
  for (const [name, value] of Object.entries(oauthError.headers)) c.header(name, value);
  if (wantsPage(c)) return sendOAuthErrorPage(c, oauthError);
  c.header('Cache-Control', 'no-store');
  c.header('Pragma', 'no-cache');
  return c.json(oauthError.toBody(), oauthError.status as 400);
});

function toOAuthError(c: HttpContext, error: Error): OAuthError {
  if (error instanceof OAuthError) return error;
  if (error instanceof AppError) {
    const message = formatWording(error.wording, restErrorWords);
    return new OAuthError('invalid_request', message, { status: error.status, headers: error.headers });
  }
  log('error', 'oauth.failed', { id: c.get('scope').id, cause: describeError(error) });
  const { message, status, headers } = toServiceError(error);
  return new OAuthError('server_error', message, { status, headers });
}

function wantsPage(c: HttpContext): boolean {
  return c.req.path === '/api/oauth/authorize' && (c.req.header('Accept') ?? '').includes('text/html');
}

function rejectUnsupportedMethod(c: HttpContext): never {
  const { path, method } = c.req;
  const allowed = [...crossOriginEndpoints, ...pageEndpoints]
    .filter((each) => each[1] === path)
    .map(([name]) => name);
  throw new OAuthError('invalid_request', `${path} doesn't support ${method}. Use ${allowed.join(' or ')}.`, {
    status: 404,
    headers: { Allow: allowed.join(', ') },
  });
}
