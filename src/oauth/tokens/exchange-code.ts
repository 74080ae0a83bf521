import { createFactory } from 'hono/factory';
import { OAUTH_TOKEN_PREFIX } from '../../accounts/credentials/credential.ts';
import { quoteValue } from '../../kernel/errors/describe-parse-error.ts';
import type { HttpEnv } from '../../kernel/http/http.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { createToken, hashSecret, parseTokenCell } from '../../kernel/secrets/tokens.ts';
import { isClientDocumentUrl } from '../clients/client-document.ts';
import { findRegisteredClient } from '../clients/clients.queries.ts';
import { requirePublicClient, unknownClientError } from '../clients/clients.ts';
import { toDisplayPrefix } from '../connected-apps/connected-apps.ts';
import {
  countOAuthTokens,
  insertOrRevokeOAuthToken,
  recordAppAuthorization,
} from '../connected-apps/oauth-tokens.queries.ts';
import { CODE_PREFIX } from '../consent/authorization-code.ts';
import { validateResourceParameter } from '../consent/authorization-request.ts';
import { type CodeRow, findCode, redeemCode } from '../consent/codes.queries.ts';
import { limitRequestsByIp } from '../protocol/ip-limits.ts';
import { OAuthError } from '../protocol/oauth-error.ts';
import {
  buildParameterSchema,
  optionalParameter,
  requiredParameter,
  validateParameters,
} from '../protocol/parameters.ts';
import { computeChallenge } from '../protocol/pkce.ts';
import { insertRevokedToken, toOAuthToken } from './issued-token.ts';
import { requireFormBody } from './require-form.ts';

const TOKEN_LIFETIME_SECONDS = 30 * 24 * 60 * 60;

interface CodeExchange {
  readonly code: string;
  readonly cell: number;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string | null;
}

const exchangeParameters = buildParameterSchema({
  client_id: requiredParameter,
  code: requiredParameter,
  redirect_uri: requiredParameter,
  code_verifier: requiredParameter,
  resource: optionalParameter,
});

/** Handles the token endpoint (RFC 6749 §3.2), which exchanges a code and its verifier for a 30-day token. */
export const exchangeCode = createFactory<HttpEnv>().createHandlers(
  limitRequestsByIp('token'),
  requireFormBody,
  validateParameters('form', buildParameterSchema({ grant_type: requiredParameter })),
  (c, next) => {
    requireCodeGrant(c.req.valid('form').grant_type);
    return next();
  },
  requirePublicClient,
  validateParameters('form', exchangeParameters),
  async (c) => {
    const scope = c.get('scope');
    const sent = c.req.valid('form');
    validateResourceParameter(scope.origin, sent.resource);
    const { token, scopes } = await issueToken(scope, {
      code: sent.code,
      cell: parseTokenCell(CODE_PREFIX, sent.code) ?? -1,
      clientId: sent.client_id,
      redirectUri: sent.redirect_uri,
      challenge: computeChallenge(sent.code_verifier),
    });
    c.header('Cache-Control', 'no-store');
    c.header('Pragma', 'no-cache');
    return c.json({
      access_token: token,
      token_type: 'Bearer',
      expires_in: TOKEN_LIFETIME_SECONDS,
      scope: scopes,
    });
  },
);

function requireCodeGrant(grantType: string) {
  if (grantType === 'authorization_code') return;
  throw new OAuthError(
    'unsupported_grant_type',
    `grant_type must be authorization_code; got ${quoteValue(grantType)}.`,
  );
}

async function issueToken(
  scope: RequestScope,
  exchange: CodeExchange,
): Promise<{ token: string; scopes: string }> {
  const { now } = scope;
  const { clientId, redirectUri } = exchange;
  const isKnownCell = scope.config.cells.has(exchange.cell);
  const token = createToken(OAUTH_TOKEN_PREFIX, isKnownCell ? exchange.cell : 0);
  const tokenHash = hashSecret(token);
  const codeHash = hashSecret(exchange.code);
  const expiresAt = now + TOKEN_LIFETIME_SECONDS * 1000;
  const [client, taken, code] = await scope.directory.batch([
    findRegisteredClient(clientId, now),
    // A malformed verifier has an empty challenge, which matches no code.
    redeemCode(
      codeHash,
      { clientId, redirectUri, challenge: exchange.challenge ?? '' },
      { tokenHash, keptUntil: expiresAt },
      now,
    ),
    findCode(codeHash),
  ]);
  if (!client && !isClientDocumentUrl(clientId)) throw unknownClientError(401);
  if (!taken || !isKnownCell) {
    const reason = findExchangeProblem(code, exchange, now);
    if (reason === 'replayed' && code) await revokeIssuedToken(scope, exchange, code);
    throw invalidGrantError(reason);
  }
  const prefix = toDisplayPrefix(OAUTH_TOKEN_PREFIX, token);
  const issued = toOAuthToken(taken, tokenHash);
  const from = { ip: taken.ip, userAgent: taken.user_agent };
  const [, count] = await scope
    .cell(exchange.cell)
    .batch([
      insertOrRevokeOAuthToken({ ...issued, prefix, expiresAt }, null, now),
      countOAuthTokens(tokenHash),
      recordAppAuthorization(issued, from, now),
    ]);
  if (count === 0) throw invalidGrantError('not_a_member');
  await requireCodeStillExists(scope, exchange, codeHash, taken);
  return { token, scopes: taken.scopes };
}

/** If the code is gone because access was revoked during the exchange, revokes the new token and throws. */
async function requireCodeStillExists(
  scope: RequestScope,
  { cell }: CodeExchange,
  codeHash: string,
  { token_hash, ...code }: CodeRow,
): Promise<void> {
  const [kept] = await scope.directory.batch([findCode(codeHash)]);
  if (kept || token_hash === null) return;
  await scope.cell(cell).batch([insertRevokedToken({ ...code, token_hash }, token_hash, scope.now)]);
  throw invalidGrantError('unknown');
}

type ExchangeProblem =
  | 'unknown'
  | 'replayed'
  | 'expired'
  | 'other_redirect'
  | 'wrong_verifier'
  | 'not_a_member';

/** Returns the first problem that applies. Codes of other clients count as unknown. */
function findExchangeProblem(code: CodeRow | null, exchange: CodeExchange, now: number): ExchangeProblem {
  if (!code || code.client_id !== exchange.clientId) return 'unknown';
  if (code.used_at !== null) return 'replayed';
  if (code.expires_at <= now) return 'expired';
  if (code.redirect_uri !== exchange.redirectUri) return 'other_redirect';
  return 'wrong_verifier';
}

/**
 * Revokes the token of a code that is used twice. The code may have been stolen, and the server can't tell which sender
 * is legitimate (RFC 6749 §4.1.2).
 */
async function revokeIssuedToken(scope: RequestScope, { cell }: CodeExchange, code: CodeRow): Promise<void> {
  if (code.token_hash === null || !scope.config.cells.has(cell)) return;
  await scope.cell(cell).batch([insertRevokedToken(code, code.token_hash, scope.now)]);
}

function invalidGrantError(reason: ExchangeProblem): OAuthError {
  return new OAuthError(
    'invalid_grant',
    `${describeExchangeProblem(reason)} Send the person to the authorization endpoint again.`,
  );
}

function describeExchangeProblem(reason: ExchangeProblem): string {
  switch (reason) {
    case 'unknown':
      return 'The code is unknown, or belongs to another client.';
    case 'replayed':
      return 'The code was already used, so its token has been revoked.';
    case 'expired':
      return 'The code has expired. Codes are valid for 60 seconds.';
    case 'other_redirect':
      return 'redirect_uri must be the same as in the authorization request.';
    case 'wrong_verifier':
      return 'code_verifier must match the code_challenge in the authorization request.';
    case 'not_a_member':
      return 'The person is no longer a member of the workspace.';
  }
}
