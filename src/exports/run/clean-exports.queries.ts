import { readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { exportEntries, exportParts, exports } from '../../schema/cell/exports.ts';

const n = aliasTable(exportEntries, 'n');
const p = aliasTable(exportParts, 'p');
const x = aliasTable(exports, 'x');

const isExpired = (now: number) => sql`${x.expires_at} <= ${now}`;

export function hasExpiredExports({ now }: { now: number }): SQL {
  return sql`EXISTS (SELECT 1 FROM ${x} INDEXED BY exports_expiring WHERE ${isExpired(now)})`;
}

const expiredColumns = selectColumns({
  id: x.id,
  ws: x.ws,
  object_key: x.object_key,
  upload_id: x.upload_id,
});
export type ExpiredExport = Row<typeof expiredColumns>;

export function listExpiredExports(now: number, limit: number): Statement<ExpiredExport[]> {
  return readRows(sql`
    SELECT ${expiredColumns} FROM ${x} INDEXED BY exports_expiring
    WHERE ${isExpired(now)} ORDER BY ${x.expires_at}, ${x.id} LIMIT ${limit}`);
}

export function findExpiredExport(id: number, ws: number, now: number): Statement<ExpiredExport[]> {
  return readRows(sql`
    SELECT ${expiredColumns} FROM ${x} WHERE ${x.ws} = ${ws} AND ${x.id} = ${id} AND ${isExpired(now)}`);
}

/** Hides the export while its rows are being deleted. */
export function hideExport({ id, ws }: ExpiredExport): Statement<void> {
  return write(sql`
    UPDATE ${exports} SET ${exports.status} = 'removed', ${exports.version} = ${exports.version} + 1
    WHERE ${exports.ws} = ${ws} AND ${exports.id} = ${id} AND ${exports.status} <> 'removed'`);
}

const noColumn = selectColumns({ no: exportEntries.no });

export function deleteEntries({ id, ws }: ExpiredExport, limit: number): Statement<{ no: number }[]> {
  return readRows(sql`
    DELETE FROM ${exportEntries} WHERE ${exportEntries.ws} = ${ws} AND ${exportEntries.export} = ${id}
      AND ${exportEntries.no} IN (
        SELECT ${n.no} FROM ${n} WHERE ${n.ws} = ${ws} AND ${n.export} = ${id} ORDER BY ${n.no} LIMIT ${limit})
    RETURNING ${noColumn}`);
}

const partColumn = selectColumns({ no: exportParts.no });

export function deleteParts({ id, ws }: ExpiredExport, limit: number): Statement<{ no: number }[]> {
  return readRows(sql`
    DELETE FROM ${exportParts} WHERE ${exportParts.ws} = ${ws} AND ${exportParts.export} = ${id}
      AND ${exportParts.no} IN (
        SELECT ${p.no} FROM ${p} WHERE ${p.ws} = ${ws} AND ${p.export} = ${id} ORDER BY ${p.no} LIMIT ${limit})
    RETURNING ${partColumn}`);
}

export function deleteExport({ id, ws }: ExpiredExport): Statement<void> {
  return write(sql`DELETE FROM ${exports} WHERE ${exports.ws} = ${ws} AND ${exports.id} = ${id}`);
}
