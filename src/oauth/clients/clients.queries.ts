import { firstRow, queryBuilder, write } from '../../kernel/sql/database.ts';
import { columns, names, sql } from '../../kernel/sql/sql.ts';
import { oauthClients } from '../../schema/directory/oauth-clients.ts';

const c = names(oauthClients, 'c');

const clientColumns = columns({
  id: oauthClients.id,
  name: oauthClients.name,
  redirect_uris: oauthClients.redirect_uris,
});

const CLEAN_ROWS_MAX = 200;

export function insertClient(
  client: { id: string; name: string; redirectUris: readonly string[]; expiresAt: number },
  now: number,
) {
  return write(
    queryBuilder.insert(oauthClients).values({
      id: client.id,
      name: client.name,
      redirect_uris: JSON.stringify(client.redirectUris),
      created_at: now,
      expires_at: client.expiresAt,
    }),
  );
}

export function findClientRow(id: string, now: number) {
  return firstRow(sql`
    SELECT ${clientColumns} FROM ${oauthClients}
    WHERE ${oauthClients.id} = ${id} AND (${oauthClients.expires_at} IS NULL
      OR ${oauthClients.expires_at} > ${now})`);
}

/** Keeps a client that somebody let in. */
export function keepClient(id: string) {
  return write(sql`UPDATE ${oauthClients}
    SET ${oauthClients.expires_at} = NULL WHERE ${oauthClients.id} = ${id}
    AND ${oauthClients.expires_at} IS NOT NULL`);
}

/** Deletes a bounded number a run. */
export function deleteUnusedClients(now: number) {
  return write(sql`
    DELETE FROM ${oauthClients} WHERE ${oauthClients.id} IN (
      SELECT ${c.id} FROM ${c} WHERE ${c.expires_at} IS NOT NULL AND ${c.expires_at} <= ${now}
      ORDER BY ${c.expires_at} LIMIT ${CLEAN_ROWS_MAX})`);
}
