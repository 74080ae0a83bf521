import { OAUTH_TOKEN_PREFIX } from '../../accounts/credentials/credential.ts';
import { toDisplayPrefix } from '../connected-apps/connected-apps.ts';
import { insertOrRevokeOAuthToken, type OAuthToken } from '../connected-apps/oauth-tokens.queries.ts';
import type { CodeRow } from '../consent/codes.queries.ts';

export function toOAuthToken(code: CodeRow, hash: string): Omit<OAuthToken, 'prefix' | 'expiresAt'> {
  return {
    hash,
    clientId: code.client_id,
    clientName: code.client_name,
    scopes: code.scopes,
    userId: code.user_id,
    workspaceId: code.workspace_id,
    allowedAt: code.created_at,
  };
}

/** Revokes a code's token, even if the exchange hasn't stored the token yet. */
export function insertRevokedToken(code: CodeRow, hash: string, now: number) {
  const token = {
    ...toOAuthToken(code, hash),
    prefix: toDisplayPrefix(OAUTH_TOKEN_PREFIX, ''),
    expiresAt: now,
  };
  return insertOrRevokeOAuthToken(token, now, now);
}
