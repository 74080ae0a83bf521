import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../../kernel/http/http.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { enforceIpLimit } from '../protocol/ip-limits.ts';
import { OAuthError } from '../protocol/oauth-error.ts';
import { fetchClientDocument, getCachedClientDocument, isClientDocumentUrl } from './client-document.ts';
import { findRegisteredClient } from './clients.queries.ts';

/**
 * An app that asks people for access. Its name is unverified, but people are redirected only to its
 * registered URIs.
 */
export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/** Throws `invalid_client` if the client is unknown. */
export async function findClient(scope: RequestScope, clientId: string): Promise<OAuthClient> {
  if (isClientDocumentUrl(clientId)) return findClientByDocument(scope, clientId);
  const [found] = await scope.directory.batch([findRegisteredClient(clientId, scope.now)]);
  if (!found) throw unknownClientError(400);
  return { id: found.id, name: found.name, redirectUris: JSON.parse(found.redirect_uris) as string[] };
}

async function findClientByDocument(scope: RequestScope, clientId: string): Promise<OAuthClient> {
  const cached = getCachedClientDocument(clientId);
  if (!cached) await enforceIpLimit(scope, 'document');
  const result = cached ?? (await fetchClientDocument(clientId));
  if ('client' in result) return result.client;
  throw new OAuthError('invalid_client', `${result.refusal}.`, { status: 400 });
}

/** Rejects requests with an Authorization header, because no client has a secret (RFC 6749 §5.2). */
export const requirePublicClient: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if (c.req.header('Authorization') !== undefined) {
    throw createClientError(
      401,
      'Clients have no secret, so send no Authorization header. Send client_id in the form instead.',
    );
  }
  await next();
};

/** The status is 401 at the token endpoint (RFC 6749 §5.2), and 400 on a page. */
export function unknownClientError(status: 400 | 401): OAuthError {
  return createClientError(
    status,
    'Unknown client_id. It was never registered, or its registration expired because no one authorized the app within 30 days. Register again with POST /api/oauth/register.',
  );
}

function createClientError(status: 400 | 401, description: string): OAuthError {
  return new OAuthError(
    'invalid_client',
    description,
    // HTTP requires a challenge with every 401, even though clients have no secrets.
    status === 401 ? { status, headers: { 'WWW-Authenticate': 'Basic realm="Edgework"' } } : { status },
  );
}
