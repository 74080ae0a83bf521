import * as z from 'zod';
import type { OAuthScope } from '../../kernel/access/access.ts';
import { quoteValue } from '../../kernel/errors/describe-parse-error.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { findClient, type OAuthClient } from '../clients/clients.ts';
import { getResourceUrl } from '../protocol/metadata.ts';
import { OAuthError, type OAuthErrorCode } from '../protocol/oauth-error.ts';
import {
  buildParameterSchema,
  optionalParameter,
  parameterError,
  requiredParameter,
} from '../protocol/parameters.ts';
import { isValidChallenge } from '../protocol/pkce.ts';
import { appendToRedirect, isRegisteredRedirect } from '../protocol/redirect-uri.ts';
import { parseRequestedScopes } from '../protocol/scopes.ts';

const STATE_CHARACTERS_MAX = 4096;

export interface AuthorizationRequest {
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scopes: readonly OAuthScope[];
  readonly state: string | null;
  readonly resource: string | null;
}

export interface RedirectTarget {
  readonly redirectUri: string;
  readonly state: string | null;
}

export class RedirectedOAuthError extends Error {
  readonly location: string;

  constructor(location: string) {
    super('The authorization request is invalid; the error goes to the client');
    this.location = location;
  }
}

/** These parameters are checked first, because no error may be redirected before the redirect URI is verified. */
export const redirectParameters = z.looseObject({
  client_id: requiredParameter,
  redirect_uri: requiredParameter,
});

const flowParameters = buildParameterSchema({
  response_type: optionalParameter,
  state: optionalParameter,
  code_challenge: optionalParameter,
  code_challenge_method: optionalParameter,
  resource: optionalParameter,
  scope: optionalParameter,
});
type FlowParameters = z.output<typeof flowParameters>;

/**
 * Throws an `OAuthError` for a page to show. Once the redirect URI is verified, throws a `RedirectedOAuthError`
 * instead.
 */
export async function readAuthorizationRequest(
  scope: RequestScope,
  { client_id, redirect_uri: redirectUri, ...rest }: z.output<typeof redirectParameters>,
): Promise<AuthorizationRequest> {
  const client = await findClientForRedirect(scope, client_id, redirectUri);
  const state = typeof rest.state === 'string' && rest.state !== '' ? rest.state : null;
  try {
    const flow = flowParameters.safeParse(rest, { reportInput: true });
    if (!flow.success) throw parameterError(flow.error);
    const { resource = null, scope: names = null } = flow.data;
    requireShortState(state);
    requireCodeFlow(flow.data);
    const challenge = readChallenge(flow.data);
    validateResourceParameter(scope.origin, flow.data.resource);
    return { client, redirectUri, challenge, scopes: parseRequestedScopes(names), state, resource };
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const to = { redirectUri, state: state && state.length > STATE_CHARACTERS_MAX ? null : state };
    throw new RedirectedOAuthError(buildErrorLocation(scope.origin, to, error.code, error.message));
  }
}

/** Includes `iss`, so that clients know which server sent the error (RFC 9207 §2). */
export function buildErrorLocation(
  issuer: string,
  { redirectUri, state }: RedirectTarget,
  error: OAuthErrorCode,
  description: string,
): string {
  return appendToRedirect(redirectUri, { error, error_description: description, state, iss: issuer });
}

export function buildApprovalLocation(
  issuer: string,
  { redirectUri, state }: RedirectTarget,
  code: string,
): string {
  return appendToRedirect(redirectUri, { code, state, iss: issuer });
}

export function validateResourceParameter(origin: string, resource: string | undefined) {
  const expected = getResourceUrl(origin);
  if (resource === undefined || resource === expected) return;
  throw new OAuthError(
    'invalid_target',
    `resource must be ${expected} or absent; got ${quoteValue(resource)}.`,
  );
}

async function findClientForRedirect(
  scope: RequestScope,
  clientId: string,
  redirectUri: string,
): Promise<OAuthClient> {
  const client = await findClient(scope, clientId);
  // Doesn't redirect the error, because the author of a forged link would receive it (RFC 6749 §4.1.2.1).
  if (!isRegisteredRedirect(redirectUri, client.redirectUris)) {
    throw new OAuthError(
      'invalid_request',
      `redirect_uri must match a redirect URI of this client exactly, except for the port on loopback addresses; got ${quoteValue(redirectUri)}.`,
    );
  }
  return client;
}

function requireShortState(state: string | null) {
  if (state === null || state.length <= STATE_CHARACTERS_MAX) return;
  throw new OAuthError(
    'invalid_request',
    `state must have at most ${STATE_CHARACTERS_MAX} characters; got ${state.length}.`,
  );
}

function requireCodeFlow({ response_type: type }: FlowParameters) {
  if (type === 'code') return;
  if (type === undefined) throw new OAuthError('invalid_request', 'response_type is required. Send code.');
  throw new OAuthError('unsupported_response_type', `response_type must be code; got ${quoteValue(type)}.`);
}

/** Requires S256. A missing method means `plain` (RFC 7636 §4.3). */
function readChallenge({ code_challenge: challenge, code_challenge_method: method }: FlowParameters): string {
  if (challenge === undefined) {
    throw new OAuthError('invalid_request', 'code_challenge is required: this server requires PKCE.');
  }
  if (method === undefined) {
    throw new OAuthError(
      'invalid_request',
      'code_challenge_method is required, because the default, plain, offers no protection. Send S256.',
    );
  }
  if (method !== 'S256') {
    throw new OAuthError('invalid_request', `code_challenge_method must be S256; got ${quoteValue(method)}.`);
  }
  if (!isValidChallenge(challenge)) {
    throw new OAuthError(
      'invalid_request',
      'code_challenge must be a SHA-256 hash in base64url without padding, 43 characters long.',
    );
  }
  return challenge;
}
