import { sql } from 'drizzle-orm';
import { firstRow, write } from '../kernel/database.ts';

export interface CodeRow {
  clientId: string;
  clientName: string;
  redirectUri: string;
  challenge: string;
  /** Separated by spaces. */
  scopes: string;
  resource: string | null;
  userId: string;
  workspaceId: string;
  expiresAt: number;
  usedAt: number | null;
  tokenHash: string | null;
}

const CLEAN_ROWS_MAX = 200;

const columns = sql`
  client_id AS clientId, client_name AS clientName, redirect_uri AS redirectUri, challenge, scopes, resource,
  user_id AS userId, workspace_id AS workspaceId, expires_at AS expiresAt, used_at AS usedAt, token_hash AS tokenHash`;

/** Makes a code for a request; makes none if the request was taken before, so one approval makes one code. */
export function insertCode(
  request: { idHash: string; sessionHash: string },
  grant: { codeHash: string; scopes: string; userId: string; workspaceId: string; expiresAt: number },
  now: number,
) {
  return write(sql`
    INSERT INTO oauth_codes (code_hash, client_id, client_name, redirect_uri, challenge, scopes, resource,
      user_id, workspace_id, created_at, expires_at, kept_until)
    SELECT ${grant.codeHash}, r.client_id, r.client_name, r.redirect_uri, r.challenge, ${grant.scopes}, r.resource,
      ${grant.userId}, ${grant.workspaceId}, ${now}, ${grant.expiresAt}, ${grant.expiresAt}
    FROM oauth_requests r
    WHERE r.id_hash = ${request.idHash} AND r.session_hash = ${request.sessionHash} AND r.expires_at > ${now}`);
}

/**
 * Takes a code, once, for the client, address and verifier that it was made for (RFC 6749 section 4.1.3, RFC 7636
 * section 4.6), and notes the token that is about to be issued. Answers null to everybody else.
 */
export function takeCode(
  codeHash: string,
  bound: { clientId: string; redirectUri: string; challenge: string },
  issued: { tokenHash: string; keptUntil: number },
  now: number,
) {
  return firstRow<CodeRow>(sql`
    UPDATE oauth_codes SET used_at = ${now}, token_hash = ${issued.tokenHash}, kept_until = ${issued.keptUntil}
    WHERE code_hash = ${codeHash} AND client_id = ${bound.clientId} AND redirect_uri = ${bound.redirectUri}
      AND challenge = ${bound.challenge} AND expires_at > ${now} AND used_at IS NULL
    RETURNING ${columns}`);
}

export function findCode(codeHash: string) {
  return firstRow<CodeRow>(sql`SELECT ${columns} FROM oauth_codes WHERE code_hash = ${codeHash}`);
}

/** Deletes a bounded number a run. */
export function deleteOldCodes(now: number) {
  return write(sql`
    DELETE FROM oauth_codes WHERE code_hash IN (
      SELECT c.code_hash FROM oauth_codes c WHERE c.kept_until <= ${now} ORDER BY c.kept_until LIMIT ${CLEAN_ROWS_MAX})`);
}
