import { rows, type Statement } from '../../kernel/sql/database.ts';
import { columns, names, sql } from '../../kernel/sql/sql.ts';
import { credentials } from '../../schema/cell/credentials.ts';

const c = names(credentials, 'c');

const idColumn = columns({ id: credentials.id });

/** Returns the deleted rows. Keeps the newest row, so that ids are never reused. */
export function deleteOldEndedCredentials(endedBefore: number, limit: number): Statement<{ id: number }[]> {
  return rows(sql`
    DELETE FROM ${credentials} WHERE ${credentials.id} IN (
      SELECT ${c.id} FROM ${c} INDEXED BY credentials_ended
      WHERE min(coalesce(${c.revoked_at}, ${c.expires_at}), coalesce(${c.expires_at},
        ${c.revoked_at})) <= ${endedBefore}
        AND coalesce(${c.revoked_at}, ${c.expires_at}) IS NOT NULL
          AND ${c.id} < (SELECT max(${credentials.id}) FROM ${credentials})
      ORDER BY min(coalesce(${c.revoked_at}, ${c.expires_at}), coalesce(${c.expires_at}, ${c.revoked_at}))
        LIMIT ${limit})
    RETURNING ${idColumn}`);
}
