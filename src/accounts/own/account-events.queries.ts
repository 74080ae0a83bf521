import {
  type AuditCredentialKind,
  type AuditDetails,
  type AuditType,
  serializeAuditDetails,
} from '../../kernel/audit/audit-types.ts';
import { type AuditAuthor, auditColumns } from '../../kernel/audit/record-audit.queries.ts';
import { type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, nameInsertColumns, type SQL, sql, withType } from '../../kernel/sql/sql.ts';
import { auditEntries } from '../../schema/cell/audit-entries.ts';
import { activeMembers } from '../../schema/cell/workspaces.ts';
import { accountActs } from '../../schema/directory/account-acts.ts';

const a = aliasTable(accountActs, 'a');
const m = aliasTable(activeMembers, 'm');

export interface AccountEventDraft {
  readonly userId: string;
  readonly type: AuditType;
  readonly from: AuditAuthor['from'];
  readonly details?: AuditDetails;
}

export function insertAccountEvent(
  { userId, type, from, details = {} }: AccountEventDraft,
  now: number,
): Statement<void> {
  return write(sql`
    INSERT INTO ${nameInsertColumns(accountActs, 'id', 'user_id', 'type', 'credential_kind', 'ip', 'user_agent', 'details', 'occurred_at')}
    VALUES (lower(hex(randomblob(16))), ${userId}, ${type}, ${'browser' satisfies AuditCredentialKind}, ${from.ip},
      ${from.userAgent}, ${serializeAuditDetails(details)}, ${now})`);
}

const EVENTS_PER_COPY_MAX = 50;

export interface AccountEvent {
  readonly id: string;
}

export function selectAccountEvents(userId: SQL): SQL<string> {
  return withType(sql`(
    SELECT json_group_array(json_object('id', a.id, 'type', a.type, 'credential_kind', a.credential_kind, 'ip', a.ip,
      'user_agent', a.user_agent, 'details', a.details, 'occurred_at', a.occurred_at))
    FROM (SELECT * FROM ${a} WHERE ${a.user_id} = ${userId} ORDER BY ${a.occurred_at}
      LIMIT ${EVENTS_PER_COPY_MAX}) a)`);
}

export function parseAccountEvents(acts: string): { acts: readonly AccountEvent[]; isAll: boolean } {
  const parsed = JSON.parse(acts) as AccountEvent[];
  return { acts: parsed, isAll: parsed.length < EVENTS_PER_COPY_MAX };
}

export function copyAccountEvents(userId: string, acts: readonly AccountEvent[]): Statement<void> {
  return write(sql`
    INSERT INTO ${nameInsertColumns(auditEntries, ...auditColumns)}
    SELECT ${m.ws}, j.value ->> 'type', ${m.no}, j.value ->> 'credential_kind', NULL, j.value ->> 'ip',
      j.value ->> 'user_agent', NULL, NULL, NULL, j.value ->> 'details', j.value ->> 'id', j.value ->> 'occurred_at'
    FROM json_each(${JSON.stringify(acts)}) j CROSS JOIN ${m} ON ${m.user_id} = ${userId}
    WHERE true ON CONFLICT DO NOTHING`);
}

export function deleteAccountEvents(acts: readonly AccountEvent[]): Statement<void> {
  return write(sql`
    DELETE FROM ${accountActs} WHERE ${accountActs.id} IN (
      SELECT value FROM json_each(${JSON.stringify(acts.map(({ id }) => id))}))`);
}
