import { parseCredential } from '../accounts/credentials/credential.ts';
import { agentScopes, type Caller, scopes } from '../kernel/access/access.ts';
import { AppError, forbiddenError, unauthorizedError } from '../kernel/errors/errors.ts';
import type { HttpContext } from '../kernel/http/http.ts';
import type { AnyTool } from '../kernel/tools/tool.ts';

/** Throws 401 unless the header contains an OAuth access token, the only credential for `/mcp`. */
export function requireAccessToken(c: HttpContext) {
  if (new URL(c.req.url).searchParams.has('access_token')) {
    throw unauthorizedError(
      "Don't send the token in the URL, where it ends up in logs. Send it as Authorization: Bearer <token>.",
    );
  }
  if (parseCredential(c.req.header('Authorization')).kind === 'oauth') return;
  throw unauthorizedError(
    'This endpoint accepts only OAuth access tokens (ew_oat_…). API keys and session tokens are for the REST API.',
  );
}

/** Throws 403 for pages from other origins, which could otherwise reach a local server through DNS rebinding. */
export function requireSameOrigin(c: HttpContext) {
  const origin = c.req.header('Origin');
  if (origin === undefined || origin === c.get('scope').origin) return;
  throw forbiddenError(
    "Web pages from other origins can't call this endpoint. Call it from a server or an app.",
  );
}

export function requireScopes(c: HttpContext, caller: Caller, called: readonly AnyTool[]) {
  const lacking = scopes.filter(
    (scope) => !caller.scopes.includes(scope) && called.some(({ access }) => access === scope),
  );
  if (lacking.length === 0) return;
  throw new AppError(
    'forbidden',
    `This token lacks ${lacking.length === 1 ? 'the scope' : 'the scopes'} ${lacking.join(' ')}. Request ${lacking.length === 1 ? 'it' : 'them'} when you authorize. This token has: ${caller.scopes.join(', ')}.`,
    { headers: buildAuthenticateHeader(c, 'insufficient_scope', lacking.join(' ')) },
  );
}

/** Adds the header that tells clients where to get a token (RFC 6750 section 3), if the error is a 401. */
export function addAuthenticateHeader(c: HttpContext, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'unauthorized') return error;
  // A request without a token gets no error code (RFC 6750 section 3.1).
  const hasToken = /^Bearer +\S/i.test(c.req.header('Authorization') ?? '');
  const headers = buildAuthenticateHeader(c, hasToken ? 'invalid_token' : null, agentScopes.join(' '));
  return new AppError(error.code, error.wording, { headers });
}

function buildAuthenticateHeader(c: HttpContext, error: string | null, scope: string) {
  const metadata = `${c.get('scope').origin}/.well-known/oauth-protected-resource/mcp`;
  const parts = [
    ...(error ? [`error="${error}"`] : []),
    `resource_metadata="${metadata}"`,
    `scope="${scope}"`,
  ];
  return { 'WWW-Authenticate': `Bearer ${parts.join(', ')}` };
}
