import { readRows, type Statement } from '../kernel/sql/database.ts';
import { aliasTable, type SQL, selectColumns, sql } from '../kernel/sql/sql.ts';
import { auditEntries } from '../schema/cell/audit-entries.ts';

const e = aliasTable(auditEntries, 'e');
const n = aliasTable(auditEntries, 'n');

/** Ids are roughly in order of time, so the entry with the lowest id is one of the oldest. */
export function hasExpiredAuditEntries(before: number): SQL {
  return sql`EXISTS (SELECT 1 FROM ${e} WHERE ${e.id} = (SELECT min(${n.id}) FROM ${n})
    AND ${e.occurred_at} <= ${before})`;
}

export function deleteExpiredAuditEntries(before: number, limit: number): Statement<{ id: number }[]> {
  return readRows(sql`
    DELETE FROM ${auditEntries}
    WHERE ${auditEntries.id} IN (SELECT ${e.id} FROM ${e} ORDER BY ${e.id} LIMIT ${limit})
      AND ${auditEntries.occurred_at} <= ${before}
    RETURNING ${selectColumns({ id: auditEntries.id })}`);
}
