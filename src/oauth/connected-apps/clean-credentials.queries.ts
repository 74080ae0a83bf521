import { readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { credentials } from '../../schema/cell/credentials.ts';

const c = aliasTable(credentials, 'c');

const idColumn = selectColumns({ id: credentials.id });

const endedAt = sql`min(coalesce(${c.revoked_at}, ${c.expires_at}), coalesce(${c.expires_at}, ${c.revoked_at}))`;

function selectOldEndedCredentials(endedBefore: number): SQL {
  return sql`
      SELECT ${c.id} FROM ${c} INDEXED BY credentials_ended
      WHERE ${endedAt} <= ${endedBefore} AND coalesce(${c.revoked_at}, ${c.expires_at}) IS NOT NULL
        AND ${c.id} < (SELECT max(${credentials.id}) FROM ${credentials})`;
}

export function hasOldEndedCredentials(endedBefore: number): SQL {
  return sql`EXISTS (${selectOldEndedCredentials(endedBefore)})`;
}

/** Keeps the newest row, so that no id is reused. */
export function deleteOldCredentials(endedBefore: number, limit: number): Statement<{ id: number }[]> {
  return readRows(sql`
    DELETE FROM ${credentials} WHERE ${credentials.id} IN (${selectOldEndedCredentials(endedBefore)}
      ORDER BY ${endedAt} LIMIT ${limit})
    RETURNING ${idColumn}`);
}
