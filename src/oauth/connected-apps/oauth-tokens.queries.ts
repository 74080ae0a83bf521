import { and, count, eq } from 'drizzle-orm';
import {
  type AuditAuthor,
  describeRequestSource,
  recordAuditEntryBy,
} from '../../kernel/audit/record-audit.queries.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { type Statement, write } from '../../kernel/sql/database.ts';
import { type Argument, pickColumns, prepared, query } from '../../kernel/sql/prepared.ts';
import { aliasTable, nameInsertColumns, sql } from '../../kernel/sql/sql.ts';
import { credentials } from '../../schema/cell/credentials.ts';
import { activeMembers, workspaces } from '../../schema/cell/workspaces.ts';

const c = aliasTable(credentials, 'c');
const excluded = aliasTable(credentials, 'excluded');
const old = aliasTable(credentials, 'credentials');
const m = aliasTable(activeMembers, 'm');
const w = aliasTable(workspaces, 'w');
const credentialInsertColumns = nameInsertColumns(
  credentials,
  'hash',
  'ws',
  'member',
  'kind',
  'name',
  'prefix',
  'scopes',
  'client_id',
  'created_at',
  'expires_at',
  'revoked_at',
);

export interface OAuthToken {
  readonly hash: string;
  readonly prefix: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly scopes: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly allowedAt: number;
  readonly expiresAt: number;
}

/** If the token already exists, only revokes it. A token that was revoked before it was issued stays revoked. */
export function insertOrRevokeOAuthToken(token: OAuthToken, revokedAt: number | null, now: number) {
  return write(sql`
    INSERT INTO ${credentialInsertColumns}
    SELECT ${token.hash}, ${w.no}, ${m.no}, 'oauth', ${token.clientName}, ${token.prefix}, ${token.scopes},
      ${token.clientId},
      ${now}, ${token.expiresAt}, ${revokedAt}
    FROM ${w} JOIN ${m} ON ${m.ws} = ${w.no}
    WHERE ${w.id} = ${token.workspaceId} AND ${m.user_id} = ${token.userId}
      AND ${m.sessions_from} <= ${token.allowedAt}
    ON CONFLICT (${credentials.hash}) DO UPDATE
      SET ${credentials.revoked_at} = coalesce(${old.revoked_at}, ${excluded.revoked_at})`);
}

export const countOAuthTokens = prepared.number((hash: Argument<string>) =>
  query.select({ n: count() }).from(credentials).where(eq(credentials.hash, hash)),
);

const isOAuthToken = (hash: Argument<string>) =>
  and(eq(credentials.hash, hash), eq(credentials.kind, 'oauth'));

export const findOAuthToken = prepared.firstRow((hash: Argument<string>) =>
  query.select(pickColumns(credentials, 'client_id')).from(credentials).where(isOAuthToken(hash)),
);

export const revokeOAuthToken = prepared.write(
  (hash: Argument<string>, clientId: Argument<string>, now: Argument<number>) =>
    query
      .update(credentials)
      .set({ revoked_at: sql`coalesce(${credentials.revoked_at}, ${now})` })
      .where(and(isOAuthToken(hash), eq(credentials.client_id, clientId))),
);

/** Must come after the statement that inserts the token. */
export function recordAppAuthorization(
  { hash, clientName, scopes }: Pick<OAuthToken, 'hash' | 'clientName' | 'scopes'>,
  from: AuditAuthor['from'],
  now: number,
): Statement<void> {
  const ofToken = sql`FROM ${c} WHERE ${c.hash} = ${hash} AND ${c.revoked_at} IS NULL`;
  return recordAuditEntryBy(
    {
      ws: sql`(SELECT ${c.ws} ${ofToken})`,
      actor: sql`(SELECT ${c.member} ${ofToken})`,
      kind: 'browser',
      from,
      now,
    },
    {
      type: 'app.authorized',
      subject: { id: sql`(SELECT ${c.id} ${ofToken})`, name: clientName },
      details: { scopes },
    },
    sql`EXISTS (SELECT 1 ${ofToken})`,
  );
}

/** Must come before the statement that revokes the token. Records nothing if the token isn't active. */
export function recordTokenRevocation(
  hash: string,
  clientId: string,
  scope: Pick<RequestScope, 'clientIp' | 'userAgent' | 'now'>,
): Statement<void> {
  const ofToken = sql`FROM ${c} WHERE ${c.hash} = ${hash} AND ${c.kind} = 'oauth' AND ${c.client_id} = ${clientId}
    AND ${c.revoked_at} IS NULL`;
  const name = sql`(SELECT ${c.name} ${ofToken})`;
  return recordAuditEntryBy(
    {
      ws: sql`(SELECT ${c.ws} ${ofToken})`,
      actor: sql`(SELECT ${c.member} ${ofToken})`,
      kind: 'oauth',
      credentialName: name,
      from: describeRequestSource(scope),
      now: scope.now,
    },
    { type: 'app.disconnected', subject: { id: sql`(SELECT ${c.id} ${ofToken})`, name } },
    sql`EXISTS (SELECT 1 ${ofToken})`,
  );
}
