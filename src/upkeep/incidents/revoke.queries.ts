import { auditColumns } from '../../kernel/audit/record-audit.queries.ts';
import { readRows, write } from '../../kernel/sql/database.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { auditEntries } from '../../schema/cell/audit-entries.ts';
import { calendarFeeds } from '../../schema/cell/calendar-feeds.ts';
import { credentials } from '../../schema/cell/credentials.ts';
import { webhooks } from '../../schema/cell/webhooks.ts';
import { members, workspaces } from '../../schema/cell/workspaces.ts';

const m = aliasTable(members, 'm');
const w = aliasTable(workspaces, 'w');
const auditEntryInsertTarget = nameInsertColumns(auditEntries, ...auditColumns);

const revokedColumns = selectColumns({
  id: credentials.id,
  name: credentials.name,
  kind: withType<'api_key' | 'oauth' | 'calendar' | 'webhook' | 'sessions'>(sql`${credentials.kind}`),
});
/**
 * A revoked credential, feed or webhook, or a person's ended sessions. For feeds and sessions, `id` is a member number.
 * For sessions, `name` is a user id.
 */
export type RevokedAccess = Row<typeof revokedColumns>;

export const credentialConditions = {
  hash: (hash: string): SQL => sql`${credentials.hash} = ${hash}`,
  app: (clientId: string): SQL => sql`${credentials.client_id} = ${clientId}`,
};

export const memberConditions = {
  person: (userId: string): SQL => sql`(SELECT ${m.no} FROM ${m} WHERE ${m.user_id} = ${userId})`,
  workspace: (id: string): SQL =>
    sql`(SELECT ${m.no} FROM ${w} CROSS JOIN ${m} ON ${m.ws} = ${w.no} WHERE ${w.id} = ${id})`,
};

/** The first statement records in the audit log which credentials the second one revokes. */
export function revokeCredentials(condition: SQL, now: number) {
  const active = sql`${condition} AND ${credentials.revoked_at} IS NULL`;
  return [
    write(sql`
    INSERT INTO ${auditEntryInsertTarget}
    SELECT ${credentials.ws}, 'access.revoked', NULL, 'service', NULL, NULL, NULL, ${credentials.member},
      ${credentials.id}, ${credentials.name}, json_object('kind', ${credentials.kind}), NULL, ${now}
    FROM ${credentials} WHERE ${active}`),
    readRows(sql`
    UPDATE ${credentials} SET ${credentials.revoked_at} = ${now}
    WHERE ${active} RETURNING ${revokedColumns}`),
  ] as const;
}

/** Also deletes calendar feeds, ends sessions, and stops webhooks that depend on neither a key nor a token. */
export function revokeAllAccess(memberNumbers: SQL, now: number) {
  return [
    write(sql`
    INSERT INTO ${auditEntryInsertTarget}
    SELECT ${m.ws}, 'access.revoked', NULL, 'service', NULL, NULL, NULL, ${m.no}, NULL, NULL,
      json_object('kind', 'sessions'), NULL, ${now}
    FROM ${m} WHERE ${m.no} IN ${memberNumbers} AND ${m.ended_at} IS NULL`),
    ...revokeCredentials(sql`${credentials.member} IN ${memberNumbers}`, now),
    readRows(sql`
      DELETE FROM ${calendarFeeds} WHERE ${calendarFeeds.member} IN ${memberNumbers}
      RETURNING ${selectColumns({ id: calendarFeeds.member, name: withType<string>(sql`''`), kind: selectRevokedKind('calendar') })}`),
    readRows(sql`
      UPDATE ${webhooks} SET ${webhooks.status} = 'stopped', ${webhooks.stop_reason} = 'access_ended',
        ${webhooks.next_attempt_at} = NULL
      WHERE ${webhooks.member} IN ${memberNumbers} AND ${webhooks.status} = 'active' AND ${webhooks.credential} IS NULL
      RETURNING ${selectColumns({ id: webhooks.id, name: webhooks.url, kind: selectRevokedKind('webhook') })}`),
    readRows(sql`
      UPDATE ${members} SET ${members.sessions_from} = ${now}
      WHERE ${members.no} IN ${memberNumbers} AND ${members.ended_at} IS NULL
      RETURNING ${selectColumns({ id: members.no, name: members.user_id, kind: selectRevokedKind('sessions') })}`),
  ];
}

function selectRevokedKind(name: RevokedAccess['kind']) {
  return withType<RevokedAccess['kind']>(sql`${name}`);
}
