import { firstRow, rows, write } from '../../kernel/sql/database.ts';
import { columns, into, names, type Row, sql } from '../../kernel/sql/sql.ts';
import { browserSessions } from '../../schema/directory/browser-sessions.ts';
import { oauthCodes } from '../../schema/directory/oauth-codes.ts';
import { oauthRequests } from '../../schema/directory/oauth-requests.ts';
import { EXCHANGE_MS_MAX } from './code.ts';

const c = names(oauthCodes, 'c');
const r = names(oauthRequests, 'r');
const s = names(browserSessions, 's');
const intoOauthCodes = into(
  oauthCodes,
  'code_hash',
  'client_id',
  'client_name',
  'redirect_uri',
  'challenge',
  'scopes',
  'resource',
  'user_id',
  'workspace_id',
  'created_at',
  'expires_at',
  'kept_until',
);

export type CodeRow = Row<typeof listed>;

const CLEAN_ROWS_MAX = 200;

const listed = columns({
  client_id: oauthCodes.client_id,
  client_name: oauthCodes.client_name,
  redirect_uri: oauthCodes.redirect_uri,
  challenge: oauthCodes.challenge,
  scopes: oauthCodes.scopes,
  resource: oauthCodes.resource,
  user_id: oauthCodes.user_id,
  workspace_id: oauthCodes.workspace_id,
  created_at: oauthCodes.created_at,
  expires_at: oauthCodes.expires_at,
  used_at: oauthCodes.used_at,
  token_hash: oauthCodes.token_hash,
});

/**
 * Makes a code for a request; makes none if the request was taken before, so one approval makes one code, or if the person
 * is no longer signed in in the browser.
 */
export function insertCode(
  request: { idHash: string; sessionHash: string },
  grant: { codeHash: string; scopes: string; userId: string; workspaceId: string; expiresAt: number },
  now: number,
) {
  return write(sql`
    INSERT INTO ${intoOauthCodes}
    SELECT ${grant.codeHash}, ${r.client_id}, ${r.client_name}, ${r.redirect_uri}, ${r.challenge},
      ${grant.scopes}, ${r.resource},
      ${grant.userId}, ${grant.workspaceId}, ${now}, ${grant.expiresAt}, ${grant.expiresAt}
    FROM ${r} CROSS JOIN ${s} ON ${s.id_hash} = ${r.session_hash} AND ${s.user_id} = ${grant.userId}
    WHERE ${r.id_hash} = ${request.idHash} AND ${r.session_hash} = ${request.sessionHash}
      AND ${r.expires_at} > ${now}`);
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
  return firstRow(sql`
    UPDATE ${oauthCodes} SET ${oauthCodes.used_at} = ${now}, ${oauthCodes.token_hash} = ${issued.tokenHash},
      ${oauthCodes.kept_until} = ${issued.keptUntil}
    WHERE ${oauthCodes.code_hash} = ${codeHash} AND ${oauthCodes.client_id} = ${bound.clientId}
      AND ${oauthCodes.redirect_uri} = ${bound.redirectUri}
      AND ${oauthCodes.challenge} = ${bound.challenge} AND ${oauthCodes.expires_at} > ${now}
        AND ${oauthCodes.used_at} IS NULL
    RETURNING ${listed}`);
}

export function findCode(codeHash: string) {
  return firstRow(sql`SELECT ${listed} FROM ${oauthCodes} WHERE ${oauthCodes.code_hash} = ${codeHash}`);
}

/** Takes back what people have just allowed an app. A code that was used a moment ago may be a token in a moment. */
export function deleteCodesOf(clientId: string, now: number) {
  return rows(sql`
    DELETE FROM ${oauthCodes} WHERE ${oauthCodes.client_id} = ${clientId}
      AND (${oauthCodes.used_at} IS NULL OR ${oauthCodes.used_at} > ${now - EXCHANGE_MS_MAX})
    RETURNING ${listed}`);
}

/** Deletes a bounded number a run. */
export function deleteOldCodes(now: number) {
  return write(sql`
    DELETE FROM ${oauthCodes} WHERE ${oauthCodes.code_hash} IN (
      SELECT ${c.code_hash} FROM ${c} WHERE ${c.kept_until} <= ${now} ORDER BY ${c.kept_until}
        LIMIT ${CLEAN_ROWS_MAX})`);
}
