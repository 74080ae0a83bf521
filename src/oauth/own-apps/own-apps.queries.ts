import { and, desc, eq, isNotNull, isNull, not } from 'drizzle-orm';
import { auditColumns } from '../../kernel/audit/record-audit.queries.ts';
import { readRows, type Statement, write } from '../../kernel/sql/database.ts';
import {
  type Argument,
  hasRow,
  pickColumns,
  prepared,
  query,
  type RowOf,
  toRowLimit,
} from '../../kernel/sql/prepared.ts';
import { aliasTable, nameInsertColumns, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { auditEntries } from '../../schema/cell/audit-entries.ts';
import { credentials } from '../../schema/cell/credentials.ts';
import { members, workspaces } from '../../schema/cell/workspaces.ts';
import { oauthAppPeople, oauthClients } from '../../schema/directory/oauth-clients.ts';

const a = aliasTable(oauthClients, 'a');
const p = aliasTable(oauthAppPeople, 'p');
const m = aliasTable(members, 'm');
const w = aliasTable(workspaces, 'w');

const appColumns = pickColumns(oauthClients, 'id', 'name', 'redirect_uris', 'created_at', 'people');

const isOwnApp = (ownerId: Argument<string>) =>
  and(eq(oauthClients.owner_id, ownerId), isNull(oauthClients.deleted_at));

export const listApps = prepared.rows((ownerId: Argument<string>, limit: Argument<number>) =>
  query
    .select(appColumns)
    .from(oauthClients)
    .where(isOwnApp(ownerId))
    .orderBy(desc(oauthClients.created_at), oauthClients.id)
    .limit(toRowLimit(limit)),
);

export const findApp = prepared.firstRow((ownerId: Argument<string>, id: Argument<string>) =>
  query
    .select(appColumns)
    .from(oauthClients)
    .where(and(isOwnApp(ownerId), eq(oauthClients.id, id))),
);
export type AppRow = RowOf<typeof findApp>;

export function insertApp(
  app: { id: string; name: string; redirectUris: readonly string[] },
  ownerId: string,
  max: number,
  now: number,
): Statement<void> {
  return write(sql`
    INSERT INTO ${nameInsertColumns(oauthClients, 'id', 'name', 'redirect_uris', 'created_at', 'owner_id')}
    SELECT ${app.id}, ${app.name}, ${JSON.stringify(app.redirectUris)}, ${now}, ${ownerId}
    WHERE (
      SELECT count(*) FROM ${a} WHERE ${a.owner_id} = ${ownerId} AND ${a.deleted_at} IS NULL
    ) < ${max}`);
}

export const assertAppUnchanged = prepared.assertUnchanged(
  ({ id, name, redirect_uris }: Argument<Pick<AppRow, 'id' | 'name' | 'redirect_uris'>>) =>
    hasRow(
      oauthClients,
      and(
        eq(oauthClients.id, id),
        isNull(oauthClients.deleted_at),
        eq(oauthClients.name, name),
        eq(oauthClients.redirect_uris, redirect_uris),
      ),
    ),
);

export const updateApp = prepared.write(
  (id: Argument<string>, { name, redirect_uris }: Argument<Pick<AppRow, 'name' | 'redirect_uris'>>) =>
    query.update(oauthClients).set({ name, redirect_uris }).where(eq(oauthClients.id, id)),
);

export const markAppDeleted = prepared.write(
  (ownerId: Argument<string>, id: Argument<string>, now: Argument<number>) =>
    query
      .update(oauthClients)
      .set({ deleted_at: now })
      .where(and(isOwnApp(ownerId), eq(oauthClients.id, id))),
);

export const markOwnAppsDeleted = prepared.write((ownerId: Argument<string>, now: Argument<number>) =>
  query.update(oauthClients).set({ deleted_at: now }).where(isOwnApp(ownerId)),
);

export const deletePersonFromApps = prepared.write((userId: Argument<string>) =>
  query.delete(oauthAppPeople).where(eq(oauthAppPeople.user_id, userId)),
);

export const findDeletedApp = prepared.firstRow(() =>
  query
    .select(pickColumns(oauthClients, 'id'))
    .from(oauthClients)
    .where(isNotNull(oauthClients.deleted_at))
    .orderBy(oauthClients.deleted_at)
    .limit(1),
);

const personColumns = selectColumns({ user_id: p.user_id, workspace_id: p.workspace_id, cell: p.cell });

export function listDeletedAppUsers(clientId: string, limit: number) {
  return readRows(sql`
    SELECT ${personColumns} FROM ${p} WHERE ${p.client_id} = ${clientId} LIMIT ${limit}`);
}

/** Runs in the workspace's cell. The first statement records in the audit log which tokens the second one revokes. */
export function revokeAppTokens(
  clientId: string,
  { user_id, workspace_id }: { user_id: string; workspace_id: string },
  now: number,
): Statement<void>[] {
  const active = sql`${credentials.ws} = (SELECT ${w.no} FROM ${w} WHERE ${w.id} = ${workspace_id})
      AND ${credentials.member} IN (
        SELECT ${m.no} FROM ${w} CROSS JOIN ${m} ON ${m.ws} = ${w.no} AND ${m.user_id} = ${user_id}
        WHERE ${w.id} = ${workspace_id})
      AND ${credentials.client_id} = ${clientId} AND ${credentials.revoked_at} IS NULL`;
  return [
    write(sql`
    INSERT INTO ${nameInsertColumns(auditEntries, ...auditColumns)}
    SELECT ${credentials.ws}, 'app.disconnected', NULL, 'service', NULL, NULL, NULL, ${credentials.member},
      ${credentials.id}, ${credentials.name}, '{}', NULL, ${now}
    FROM ${credentials} WHERE ${active}`),
    write(sql`
    UPDATE ${credentials} SET ${credentials.revoked_at} = ${now} WHERE ${active}`),
  ];
}

export const deleteAppUser = prepared.write(
  (clientId: Argument<string>, person: Argument<{ user_id: string; workspace_id: string }>) =>
    query
      .delete(oauthAppPeople)
      .where(
        and(
          eq(oauthAppPeople.client_id, clientId),
          eq(oauthAppPeople.user_id, person.user_id),
          eq(oauthAppPeople.workspace_id, person.workspace_id),
        ),
      ),
);

export const deleteRevokedApp = prepared.write((id: Argument<string>) =>
  query
    .delete(oauthClients)
    .where(
      and(
        eq(oauthClients.id, id),
        isNotNull(oauthClients.deleted_at),
        not(hasRow(oauthAppPeople, eq(oauthAppPeople.client_id, id))),
      ),
    ),
);
