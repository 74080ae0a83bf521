import { createFactory } from 'hono/factory';
import { OAUTH_TOKEN_PREFIX } from '../../accounts/credentials/credential.ts';
import type { HttpEnv } from '../../kernel/http/http.ts';
import { hashSecret, parseTokenCell } from '../../kernel/secrets/tokens.ts';
import { isClientDocumentUrl } from '../clients/client-document.ts';
import { findRegisteredClient } from '../clients/clients.queries.ts';
import { requirePublicClient, unknownClientError } from '../clients/clients.ts';
import {
  findOAuthToken,
  recordTokenRevocation,
  revokeOAuthToken,
} from '../connected-apps/oauth-tokens.queries.ts';
import { limitRequestsByIp } from '../protocol/ip-limits.ts';
import { OAuthError } from '../protocol/oauth-error.ts';
import { buildParameterSchema, requiredParameter, validateParameters } from '../protocol/parameters.ts';
import { requireFormBody } from './require-form.ts';

/** Revokes a token (RFC 7009 §2). Also returns 200 for unknown tokens. */
export const revokeToken = createFactory<HttpEnv>().createHandlers(
  limitRequestsByIp('revoke'),
  requireFormBody,
  validateParameters('form', buildParameterSchema({})),
  requirePublicClient,
  validateParameters(
    'form',
    buildParameterSchema({ token: requiredParameter, client_id: requiredParameter }),
  ),
  async (c) => {
    const scope = c.get('scope');
    const { token, client_id: clientId } = c.req.valid('form');
    const [client] = await scope.directory.batch([findRegisteredClient(clientId, scope.now)]);
    if (!client && !isClientDocumentUrl(clientId)) throw unknownClientError(401);

    const cell = parseTokenCell(OAUTH_TOKEN_PREFIX, token);
    if (cell !== null && scope.config.cells.has(cell)) {
      const hash = hashSecret(token);
      const [found] = await scope
        .cell(cell)
        .batch([
          findOAuthToken(hash),
          recordTokenRevocation(hash, clientId, scope),
          revokeOAuthToken(hash, clientId, scope.now),
        ]);
      if (found && found.client_id !== clientId) throw foreignTokenError();
    }
    c.header('Pragma', 'no-cache');
    return c.body(null, 200);
  },
);

function foreignTokenError(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'This token was issued to another client. Only that client can revoke it.',
  );
}
