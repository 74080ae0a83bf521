import {
  type AuditAuthor,
  auditColumns,
  recordAuditEntryBy,
} from '../../kernel/audit/record-audit.queries.ts';
import { DAY_MS } from '../../kernel/dates/durations.ts';
import { type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, nameInsertColumns, sql } from '../../kernel/sql/sql.ts';
import { auditEntries } from '../../schema/cell/audit-entries.ts';
import { activeMembers, workspaces } from '../../schema/cell/workspaces.ts';

const e = aliasTable(auditEntries, 'e');
const m = aliasTable(activeMembers, 'm');
const w = aliasTable(workspaces, 'w');

/** Each workspace logs at most this many failed sign-ins of a person per day, so that guesses can't fill the log. */
const FAILURES_PER_DAY_MAX = 20;
const WORKSPACES_MAX = 100;

export function recordTokenSignIn(
  { userId, workspaceId }: { userId: string; workspaceId: string },
  from: AuditAuthor['from'],
  now: number,
): Statement<void> {
  const ofMember = sql`FROM ${w} CROSS JOIN ${m} ON ${m.ws} = ${w.no} AND ${m.user_id} = ${userId}
    WHERE ${w.id} = ${workspaceId}`;
  return recordAuditEntryBy(
    {
      ws: sql`(SELECT ${w.no} ${ofMember})`,
      actor: sql`(SELECT ${m.no} ${ofMember})`,
      kind: 'session_token',
      from,
      now,
    },
    { type: 'sign_in.succeeded' },
    sql`EXISTS (SELECT 1 ${ofMember})`,
  );
}

export function recordFailedSignIn(userId: string, from: AuditAuthor['from'], now: number): Statement<void> {
  return write(sql`
    INSERT INTO ${nameInsertColumns(auditEntries, ...auditColumns)}
    SELECT ${m.ws}, 'sign_in.failed', ${m.no}, 'browser', NULL, ${from.ip}, ${from.userAgent}, NULL, NULL, NULL,
      '{}', NULL, ${now}
    FROM ${m} WHERE ${m.user_id} = ${userId} AND (SELECT count(*) FROM (
      SELECT 1 FROM ${e} WHERE ${e.ws} = ${m.ws} AND ${e.actor} = ${m.no} AND ${e.type} = 'sign_in.failed'
        AND ${e.occurred_at} > ${now - DAY_MS} LIMIT ${FAILURES_PER_DAY_MAX})) < ${FAILURES_PER_DAY_MAX}
    LIMIT ${WORKSPACES_MAX}`);
}
