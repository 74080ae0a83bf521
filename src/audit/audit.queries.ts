import type { Caller } from '../kernel/access/access.ts';
import type { AuditType } from '../kernel/audit/audit-types.ts';
import { buildLimit, isAfter, type PageRange } from '../kernel/lists/pagination.ts';
import { readRows, type Statement } from '../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../kernel/sql/sql.ts';
import { auditEntries } from '../schema/cell/audit-entries.ts';
import { members } from '../schema/cell/workspaces.ts';

const e = aliasTable(auditEntries, 'e');
const a = aliasLeftJoinedTable(members, 'a');
const p = aliasLeftJoinedTable(members, 'p');
const m = aliasTable(members, 'm');

const entryColumns = selectColumns({
  id: e.id,
  type: withType<AuditType>(e.type),
  occurred_at: e.occurred_at,
  actor_id: a.user_id,
  actor_name: a.name,
  actor_email: a.email,
  credential_kind: e.credential_kind,
  credential_name: e.credential_name,
  ip: e.ip,
  user_agent: e.user_agent,
  person_id: p.user_id,
  person_name: p.name,
  person_email: p.email,
  subject_id: e.subject_id,
  subject_name: e.subject_name,
  details: e.details,
});
export type AuditRow = Row<typeof entryColumns>;

export interface AuditFilter {
  readonly actorId?: string | undefined;
  readonly type?: AuditType | undefined;
  readonly sinceMs?: number | undefined;
  readonly beforeMs?: number | undefined;
}

/** Newest first. Forces the index that matches the filter, so that a page reads only the entries it returns. */
export function listAuditEntries(
  { workspace }: Caller,
  { actorId, type, sinceMs, beforeMs }: AuditFilter,
  range: PageRange,
): Statement<AuditRow[]> {
  const conditions: SQL[] = [
    sql`${e.ws} = ${workspace}`,
    ...(actorId === undefined
      ? []
      : [
          sql`${e.actor} = (SELECT ${m.no} FROM ${m} WHERE ${m.ws} = ${workspace} AND ${m.user_id} = ${actorId})`,
        ]),
    ...(type === undefined ? [] : [sql`${e.type} = ${type}`]),
    ...(sinceMs === undefined ? [] : [sql`${e.occurred_at} >= ${sinceMs}`]),
    ...(beforeMs === undefined ? [] : [sql`${e.occurred_at} < ${beforeMs}`]),
    isAfter(range, [
      { column: e.occurred_at, isDescending: true },
      { column: e.id, isDescending: true },
    ]),
  ];
  return readRows(sql`
    SELECT ${entryColumns}
    FROM ${e} INDEXED BY ${sql.raw(chooseIndex(actorId, type))}
      LEFT JOIN ${a} ON ${a.no} = ${e.actor} LEFT JOIN ${p} ON ${p.no} = ${e.member}
    WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY ${e.occurred_at} DESC, ${e.id} DESC ${buildLimit(range)}`);
}

function chooseIndex(actorId: string | undefined, type: string | undefined): string {
  if (actorId === undefined) return type === undefined ? 'audit_entries_by_time' : 'audit_entries_by_type';
  return type === undefined ? 'audit_entries_by_actor_time' : 'audit_entries_by_actor';
}
