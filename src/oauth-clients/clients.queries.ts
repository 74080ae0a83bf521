import { sql } from 'drizzle-orm';
import { firstRow, queryBuilder, write } from '../kernel/database.ts';
import { oauthClients } from './clients.sql.ts';

export interface ClientRow {
  id: string;
  name: string;
  /** JSON array. */
  redirectUris: string;
}

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
  return firstRow<ClientRow>(sql`
    SELECT id, name, redirect_uris AS redirectUris FROM oauth_clients
    WHERE id = ${id} AND (expires_at IS NULL OR expires_at > ${now})`);
}

/** Keeps a client that somebody let in. */
export function keepClient(id: string) {
  return write(sql`UPDATE oauth_clients SET expires_at = NULL WHERE id = ${id} AND expires_at IS NOT NULL`);
}

/** Deletes a bounded number a run. */
export function deleteUnusedClients(now: number) {
  return write(sql`
    DELETE FROM oauth_clients WHERE id IN (
      SELECT c.id FROM oauth_clients c WHERE c.expires_at IS NOT NULL AND c.expires_at <= ${now}
      ORDER BY c.expires_at LIMIT ${CLEAN_ROWS_MAX})`);
}
