import { and, count, eq } from 'drizzle-orm';
import type { Caller } from '../../kernel/access/access.ts';
import { type AuditContext, recordAuditEntry } from '../../kernel/audit/record-audit.queries.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import { readRows, type Statement } from '../../kernel/sql/database.ts';
import { type Argument, pickColumns, prepared, query, type RowOf } from '../../kernel/sql/prepared.ts';
import { aliasTable, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { credentials } from '../../schema/cell/credentials.ts';
import { members } from '../../schema/cell/workspaces.ts';

const credentialColumns = pickColumns(
  credentials,
  'id',
  'kind',
  'name',
  'prefix',
  'scopes',
  'created_at',
  'last_used_at',
  'expires_at',
  'revoked_at',
);
export type CredentialRow = RowOf<typeof findCredential>;

const m = aliasTable(members, 'm');

/** People see only their own credentials, even if they are admins. `listMemberCredentials` is for bots. */
const isOwnCredential = (caller: Argument<Caller>) =>
  and(eq(credentials.ws, caller.workspace), eq(credentials.member, caller.member));

export function listCredentials(caller: Caller, range: PageRange): Statement<CredentialRow[]> {
  return readRows(sql`
    SELECT ${selectColumns(credentialColumns)} FROM ${credentials}
    WHERE ${credentials.ws} = ${caller.workspace} AND ${credentials.member} = ${caller.member}
      AND ${isAfter(range, [{ column: sql`${credentials.id}`, isDescending: true }])}
    ORDER BY ${credentials.id} DESC ${buildLimit(range)}`);
}

export function listMemberCredentials(ws: number, userId: string, limit: number): Statement<CredentialRow[]> {
  return readRows(sql`
    SELECT ${selectColumns(credentialColumns)} FROM ${credentials}
    WHERE ${credentials.ws} = ${ws} AND ${credentials.member} = (
      SELECT ${m.no} FROM ${m} WHERE ${m.ws} = ${ws} AND ${m.user_id} = ${userId})
    ORDER BY ${credentials.id} DESC LIMIT ${limit}`);
}

export const countCredentials = prepared.number((caller: Argument<Caller>) =>
  query.select({ n: count() }).from(credentials).where(isOwnCredential(caller)),
);

const c = aliasTable(credentials, 'c');

export interface ApiKeyDraft {
  hash: string;
  name: string;
  prefix: string;
  /** Scopes separated by spaces. An empty string means all scopes. */
  scopes: string;
  expires_at: number | null;
}

export const insertApiKey = prepared.write(
  (
    caller: Argument<Caller>,
    { hash, name, prefix, scopes, expires_at }: Argument<ApiKeyDraft>,
    now: Argument<number>,
  ) =>
    query.insert(credentials).values({
      hash,
      name,
      prefix,
      scopes,
      expires_at,
      kind: 'api_key',
      ws: caller.workspace,
      member: caller.member,
      created_at: now,
    }),
);

export const findCredentialByHash = prepared.firstRow((caller: Argument<Caller>, hash: Argument<string>) =>
  query
    .select(credentialColumns)
    .from(credentials)
    .where(and(isOwnCredential(caller), eq(credentials.hash, hash))),
);

export const findCredential = prepared.firstRow((caller: Argument<Caller>, id: Argument<number>) =>
  query
    .select(credentialColumns)
    .from(credentials)
    .where(and(isOwnCredential(caller), eq(credentials.id, id))),
);

export const revokeCredential = prepared.firstRow(
  (caller: Argument<Caller>, id: Argument<number>, now: Argument<number>) =>
    query
      .update(credentials)
      .set({ revoked_at: sql`coalesce(${credentials.revoked_at}, ${now})` })
      .where(and(isOwnCredential(caller), eq(credentials.id, id)))
      .returning(pickColumns(credentials, 'id')),
);

/** Use only for credentials that no client has received yet. */
export const deleteCredential = prepared.write((caller: Argument<Caller>, id: Argument<number>) =>
  query.delete(credentials).where(and(isOwnCredential(caller), eq(credentials.id, id))),
);

/** Must come after the statement that inserts the key, because it reads the key's id. */
export function recordKeyCreation(
  ctx: AuditContext,
  { hash, name, scopes, expires_at }: ApiKeyDraft,
): Statement<void> {
  const id = sql`(SELECT ${c.id} FROM ${c} WHERE ${c.hash} = ${hash})`;
  return recordAuditEntry(ctx, {
    type: 'api_key.created',
    subject: { id, name },
    details: {
      scopes: scopes === '' ? 'all' : scopes,
      expires: expires_at === null ? null : toTimestamp(expires_at),
    },
  });
}

/**
 * Must come before the statement that revokes the credential. Records nothing if it was already revoked.
 * `holder` is the member number of the bot that the credential belongs to. Defaults to the caller.
 */
export function recordCredentialRevocation(
  ctx: AuditContext,
  id: number,
  holder?: number,
): Statement<void>[] {
  const { workspace, member: self } = ctx.caller;
  const member = holder ?? self;
  const kinds = [
    ['api_key', 'api_key.revoked'],
    ['oauth', 'app.disconnected'],
  ] as const;
  return kinds.map(([kind, type]) => {
    const from = sql`FROM ${c} WHERE ${c.id} = ${id} AND ${c.ws} = ${workspace} AND ${c.member} = ${member}
      AND ${c.kind} = ${kind} AND ${c.revoked_at} IS NULL`;
    return recordAuditEntry(
      ctx,
      {
        type,
        ...(holder !== undefined && { member: holder }),
        subject: { id, name: sql`(SELECT ${c.name} ${from})` },
      },
      sql`EXISTS (SELECT 1 ${from})`,
    );
  });
}
