import { readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { imports } from '../../schema/cell/imports.ts';

const i = aliasTable(imports, 'i');
const idColumn = selectColumns({ id: imports.id });

const isExpired = (now: number) => sql`${i.expires_at} <= ${now}`;

export function hasExpiredImports({ now }: { now: number }): SQL {
  return sql`EXISTS (SELECT 1 FROM ${i} INDEXED BY imports_expiring WHERE ${isExpired(now)})`;
}

export function expireImports(now: number, limit: number): Statement<{ id: number }[]>[] {
  const isFirst = sql`${imports.id} IN (
    SELECT ${i.id} FROM ${i} INDEXED BY imports_expiring WHERE ${isExpired(now)}
    ORDER BY ${i.expires_at}, ${i.id} LIMIT ${limit})`;
  return [
    readRows(sql`
      UPDATE ${imports} SET ${imports.report} = NULL, ${imports.expires_at} = NULL
      WHERE ${isFirst} AND ${imports.status} <> 'ready' RETURNING ${idColumn}`),
    readRows(
      sql`DELETE FROM ${imports} WHERE ${isFirst} AND ${imports.status} = 'ready' RETURNING ${idColumn}`,
    ),
  ];
}
