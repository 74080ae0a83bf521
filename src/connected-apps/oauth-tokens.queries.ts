import { sql } from 'drizzle-orm';
import { firstRow, number, write } from '../kernel/database.ts';

/** An access token from a code exchange, as its cell stores it. */
export interface OAuthToken {
  readonly hash: string;
  readonly prefix: string;
  readonly clientId: string;
  readonly clientName: string;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly expiresAt: number;
}

/**
 * Writes a token if its person is still a member. A second write of the same token can only revoke it, so a replay that
 * arrives before the exchange leaves a token that was never valid.
 */
export function putOAuthToken(token: OAuthToken, revokedAt: number | null, now: number) {
  return write(sql`
    INSERT INTO credentials (hash, ws, member, kind, name, prefix, scopes, client_id, created_at, expires_at, revoked_at)
    SELECT ${token.hash}, w.no, m.no, 'oauth', ${token.clientName}, ${token.prefix}, ${token.scopes}, ${token.clientId},
      ${now}, ${token.expiresAt}, ${revokedAt}
    FROM workspaces w JOIN active_members m ON m.ws = w.no
    WHERE w.id = ${token.workspaceId} AND m.user_id = ${token.userId}
    ON CONFLICT (hash) DO UPDATE SET revoked_at = coalesce(credentials.revoked_at, excluded.revoked_at)`);
}

export function countOAuthToken(hash: string) {
  return number(sql`SELECT count(*) AS n FROM credentials WHERE hash = ${hash}`);
}

export function findOAuthToken(hash: string) {
  return firstRow<{ clientId: string | null }>(sql`
    SELECT client_id AS clientId FROM credentials WHERE hash = ${hash} AND kind = 'oauth'`);
}

export function revokeOAuthToken(hash: string, clientId: string, now: number) {
  return write(sql`
    UPDATE credentials SET revoked_at = coalesce(revoked_at, ${now})
    WHERE hash = ${hash} AND kind = 'oauth' AND client_id = ${clientId}`);
}
