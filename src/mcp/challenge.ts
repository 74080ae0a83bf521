import { readCredential } from '../accounts/credentials/credential.ts';
import { type Caller, scopes } from '../kernel/access/access.ts';
import { AppError, forbidden, unauthorized } from '../kernel/errors/errors.ts';
import type { HttpContext } from '../kernel/http/http.ts';
import type { AnyTool } from '../kernel/tools/tool.ts';

/** Throws 401 unless the header carries an OAuth access token: nothing else opens `/mcp`. */
export function requireAccessToken(c: HttpContext) {
  if (new URL(c.req.url).searchParams.has('access_token')) {
    throw unauthorized('A token in the URL ends up in logs. Send it as Authorization: Bearer <token> only.');
  }
  if (readCredential(c.req.header('Authorization')).kind === 'oauth') return;
  throw unauthorized(
    'This endpoint takes OAuth access tokens (ew_oat_…) only. API keys and session tokens are for the REST API.',
  );
}

/** Throws 403 for a page of another origin: DNS rebinding could let such a page reach this server. */
export function requireOwnOrigin(c: HttpContext) {
  const origin = c.req.header('Origin');
  if (origin === undefined || origin === c.get('scope').origin) return;
  throw forbidden('Web pages of another origin may not call this endpoint. Call it from a server or an app.');
}

/** Throws 403 if the token lacks the scope of any called tool, whatever the arguments are. */
export function requireScopes(c: HttpContext, caller: Caller, called: readonly AnyTool[]) {
  const lacking = scopes.filter(
    (scope) => !caller.scopes.includes(scope) && called.some(({ access }) => access === scope),
  );
  if (lacking.length === 0) return;
  throw new AppError(
    'forbidden',
    `This token lacks the scope ${lacking.join(' ')}. Ask for it at authorization; the token has: ${caller.scopes.join(', ')}.`,
    { headers: challenge(c, 'insufficient_scope', lacking.join(' ')) },
  );
}

/** RFC 6750 section 3: the same refusal, with the header that tells a client where to get a token. */
export function withChallenge(c: HttpContext, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'unauthorized') return error;
  // Section 3.1: a request without a token gets no error code.
  const came = /^Bearer +\S/i.test(c.req.header('Authorization') ?? '');
  const headers = challenge(c, came ? 'invalid_token' : null, scopes.join(' '));
  return new AppError(error.code, error.wording, { headers });
}

function challenge(c: HttpContext, error: string | null, scope: string) {
  const metadata = `${c.get('scope').origin}/.well-known/oauth-protected-resource/mcp`;
  const parts = [
    ...(error ? [`error="${error}"`] : []),
    `resource_metadata="${metadata}"`,
    `scope="${scope}"`,
  ];
  return { 'WWW-Authenticate': `Bearer ${parts.join(', ')}` };
}
