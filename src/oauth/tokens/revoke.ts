import { OAUTH_TOKEN_PREFIX } from '../../accounts/credentials/credential.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { cellOfToken, hashSecret } from '../../kernel/secrets/tokens.ts';
import { isDocumentId } from '../clients/client-document.ts';
import { findClientRow } from '../clients/clients.queries.ts';
import { unknownClient } from '../clients/clients.ts';
import { findOAuthToken, revokeOAuthToken } from '../connected-apps/oauth-tokens.queries.ts';
import { limitAddress } from '../protocol/address-limits.ts';
import { OAuthError } from '../protocol/oauth-error.ts';
import { readForm, requireParameter } from './form-body.ts';

/** Token revocation (RFC 7009 section 2). An unknown token counts as revoked and answers 200. */
export async function revokeToken(c: HttpContext): Promise<Response> {
  const scope = c.get('scope');
  await limitAddress(scope, 'revoke');
  const form = await readForm(c);
  if (c.req.header('Authorization') !== undefined) throw unknownClient(401);
  const token = requireParameter(form, 'token');
  const clientId = requireParameter(form, 'client_id');
  const [client] = await scope.directory.batch([findClientRow(clientId, scope.now)]);
  if (!client && !isDocumentId(clientId)) throw unknownClient(401);

  const cell = cellOfToken(OAUTH_TOKEN_PREFIX, token);
  if (cell !== null && scope.config.cells.has(cell)) {
    const hash = hashSecret(token);
    const [found] = await scope.cell(cell).batch([
      findOAuthToken(hash),
      // The statement names the client, so a token of another client stays valid.
      revokeOAuthToken(hash, clientId, scope.now),
    ]);
    if (found && found.client_id !== clientId) throw foreignToken();
  }
  c.header('Pragma', 'no-cache');
  return c.body(null, 200);
}

function foreignToken(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'This token was issued to another client, which alone can revoke it.',
  );
}
