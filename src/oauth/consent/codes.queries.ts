import { and, eq, gt, inArray, isNull, lte, or } from 'drizzle-orm';
import type { AuditAuthor } from '../../kernel/audit/record-audit.queries.ts';
import { write } from '../../kernel/sql/database.ts';
import { type Argument, pickColumns, prepared, query, type RowOf } from '../../kernel/sql/prepared.ts';
import { aliasTable, nameInsertColumns, sql } from '../../kernel/sql/sql.ts';
import { browserSessions } from '../../schema/directory/browser-sessions.ts';
import { oauthCodes } from '../../schema/directory/oauth-codes.ts';
import { oauthRequests } from '../../schema/directory/oauth-requests.ts';
import { EXCHANGE_MS_MAX } from './authorization-code.ts';

const r = aliasTable(oauthRequests, 'r');
const s = aliasTable(browserSessions, 's');
const codeInsertColumns = nameInsertColumns(
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
  'ip',
  'user_agent',
);

const DELETIONS_PER_RUN_MAX = 200;

const codeColumns = pickColumns(
  oauthCodes,
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
  'used_at',
  'token_hash',
  'ip',
  'user_agent',
);
export type CodeRow = RowOf<typeof findCode>;

export interface CodeGrant {
  readonly codeHash: string;
  readonly scopes: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly expiresAt: number;
  readonly from: AuditAuthor['from'];
}

/** Creates at most one code per approval, and none if the person has since signed out. */
export function insertCode(request: { idHash: string; sessionHash: string }, grant: CodeGrant, now: number) {
  return write(sql`
    INSERT INTO ${codeInsertColumns}
    SELECT ${grant.codeHash}, ${r.client_id}, ${r.client_name}, ${r.redirect_uri}, ${r.challenge},
      ${grant.scopes}, ${r.resource},
      ${grant.userId}, ${grant.workspaceId}, ${now}, ${grant.expiresAt}, ${grant.expiresAt},
      ${grant.from.ip}, ${grant.from.userAgent}
    FROM ${r} CROSS JOIN ${s} ON ${s.id_hash} = ${r.session_hash} AND ${s.user_id} = ${grant.userId}
    WHERE ${r.id_hash} = ${request.idHash} AND ${r.session_hash} = ${request.sessionHash}
      AND ${r.expires_at} > ${now}`);
}

/**
 * Returns null if the code has expired or was already redeemed, or if the client, redirect URI or challenge doesn't
 * match.
 */
export const redeemCode = prepared.firstRow(
  (
    codeHash: Argument<string>,
    bound: Argument<{ clientId: string; redirectUri: string; challenge: string }>,
    issued: Argument<{ tokenHash: string; keptUntil: number }>,
    now: Argument<number>,
  ) =>
    query
      .update(oauthCodes)
      .set({ used_at: now, token_hash: issued.tokenHash, kept_until: issued.keptUntil })
      .where(
        and(
          eq(oauthCodes.code_hash, codeHash),
          eq(oauthCodes.client_id, bound.clientId),
          eq(oauthCodes.redirect_uri, bound.redirectUri),
          eq(oauthCodes.challenge, bound.challenge),
          gt(oauthCodes.expires_at, now),
          isNull(oauthCodes.used_at),
        ),
      )
      .returning(codeColumns),
);

export const findCode = prepared.firstRow((codeHash: Argument<string>) =>
  query.select(codeColumns).from(oauthCodes).where(eq(oauthCodes.code_hash, codeHash)),
);

/**
 * Deletes an app's unused codes, and also recently used ones, because an exchange in progress may not have stored its
 * token yet.
 */
export const deleteRecentCodes = prepared.rows((clientId: Argument<string>, now: Argument<number>) =>
  query
    .delete(oauthCodes)
    .where(
      and(
        eq(oauthCodes.client_id, clientId),
        or(isNull(oauthCodes.used_at), gt(oauthCodes.used_at, sql`${now} - ${EXCHANGE_MS_MAX}`)),
      ),
    )
    .returning(codeColumns),
);

export const deleteOldCodes = prepared.write((now: Argument<number>) => {
  const old = query
    .select(pickColumns(oauthCodes, 'code_hash'))
    .from(oauthCodes)
    .where(lte(oauthCodes.kept_until, now))
    .orderBy(oauthCodes.kept_until)
    .limit(DELETIONS_PER_RUN_MAX);
  return query.delete(oauthCodes).where(inArray(oauthCodes.code_hash, old));
});
