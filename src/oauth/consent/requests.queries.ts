import { firstRow, queryBuilder, write } from '../../kernel/sql/database.ts';
import { columns, names, type Row, sql } from '../../kernel/sql/sql.ts';
import { oauthRequests } from '../../schema/directory/oauth-requests.ts';

const r = names(oauthRequests, 'r');

const requestColumns = columns({
  client_id: oauthRequests.client_id,
  client_name: oauthRequests.client_name,
  redirect_uri: oauthRequests.redirect_uri,
  challenge: oauthRequests.challenge,
  scopes: oauthRequests.scopes,
  state: oauthRequests.state,
  resource: oauthRequests.resource,
});
export type RequestRow = Row<typeof requestColumns>;

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
      ...request,
      created_at: now,
      expires_at: expiresAt,
    }),
  );
}

/** Keeps only the newest requests of a browser, so that reloading a consent page does not add rows without end. */
export function deleteOlderRequests(sessionHash: string, kept: number) {
  return write(sql`
    DELETE FROM ${oauthRequests} WHERE ${oauthRequests.session_hash} = ${sessionHash}
      AND ${oauthRequests.id_hash} NOT IN (
      SELECT ${r.id_hash} FROM ${r} WHERE ${r.session_hash} = ${sessionHash}
      ORDER BY ${r.created_at} DESC LIMIT ${kept})`);
}

export function findRequest(idHash: string, sessionHash: string, now: number) {
  return firstRow(sql`
    SELECT ${requestColumns} FROM ${oauthRequests} WHERE ${oauthRequests.id_hash} = ${idHash}
      AND ${oauthRequests.session_hash} = ${sessionHash} AND ${oauthRequests.expires_at} > ${now}`);
}

const idHashColumn = columns({ id_hash: oauthRequests.id_hash });

/** Answers the id to the first caller, and null to everybody after. */
export function takeRequest(idHash: string, sessionHash: string, now: number) {
  return firstRow(sql`
    DELETE FROM ${oauthRequests} WHERE ${oauthRequests.id_hash} = ${idHash}
      AND ${oauthRequests.session_hash} = ${sessionHash} AND ${oauthRequests.expires_at} > ${now}
    RETURNING ${idHashColumn}`);
}

/** Deletes a bounded number a run. */
export function deleteExpiredRequests(now: number) {
  return write(sql`
    DELETE FROM ${oauthRequests} WHERE ${oauthRequests.id_hash} IN (
      SELECT ${r.id_hash} FROM ${r} WHERE ${r.expires_at} <= ${now} ORDER BY ${r.expires_at}
        LIMIT ${CLEAN_ROWS_MAX})`);
}
