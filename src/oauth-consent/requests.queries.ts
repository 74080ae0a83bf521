import { sql } from 'drizzle-orm';
import { firstRow, queryBuilder, write } from '../kernel/database.ts';
import { oauthRequests } from './requests.sql.ts';

export interface RequestRow {
  clientId: string;
  clientName: string;
  redirectUri: string;
  challenge: string;
  /** Separated by spaces. */
  scopes: string;
  state: string | null;
  resource: string | null;
}

const CLEAN_ROWS_MAX = 200;

export function insertRequest(
  ids: { idHash: string; sessionHash: string },
  request: RequestRow,
  expiresAt: number,
  now: number,
) {
  return write(
    queryBuilder.insert(oauthRequests).values({
      id_hash: ids.idHash,
      session_hash: ids.sessionHash,
      client_id: request.clientId,
      client_name: request.clientName,
      redirect_uri: request.redirectUri,
      challenge: request.challenge,
      scopes: request.scopes,
      state: request.state,
      resource: request.resource,
      created_at: now,
      expires_at: expiresAt,
    }),
  );
}

/** Keeps only the newest requests of a browser, so that reloading a consent page does not add rows without end. */
export function deleteOlderRequests(sessionHash: string, kept: number) {
  return write(sql`
    DELETE FROM oauth_requests WHERE session_hash = ${sessionHash} AND id_hash NOT IN (
      SELECT r.id_hash FROM oauth_requests r WHERE r.session_hash = ${sessionHash}
      ORDER BY r.created_at DESC LIMIT ${kept})`);
}

export function findRequest(idHash: string, sessionHash: string, now: number) {
  return firstRow<RequestRow>(sql`
    SELECT client_id AS clientId, client_name AS clientName, redirect_uri AS redirectUri, challenge, scopes, state, resource
    FROM oauth_requests WHERE id_hash = ${idHash} AND session_hash = ${sessionHash} AND expires_at > ${now}`);
}

/** Answers the id to the first caller, and null to everybody after. */
export function takeRequest(idHash: string, sessionHash: string, now: number) {
  return firstRow<{ idHash: string }>(sql`
    DELETE FROM oauth_requests WHERE id_hash = ${idHash} AND session_hash = ${sessionHash} AND expires_at > ${now}
    RETURNING id_hash AS idHash`);
}

/** Deletes a bounded number a run. */
export function deleteExpiredRequests(now: number) {
  return write(sql`
    DELETE FROM oauth_requests WHERE id_hash IN (
      SELECT r.id_hash FROM oauth_requests r WHERE r.expires_at <= ${now} ORDER BY r.expires_at LIMIT ${CLEAN_ROWS_MAX})`);
}
