import { sql } from 'drizzle-orm';
import { rows, type Statement } from '../kernel/database.ts';

/** Answers the deleted rows. The newest row stays, so that no id is given twice. */
export function deleteLongEnded(endedBefore: number, limit: number): Statement<{ id: number }[]> {
  return rows<{ id: number }>(sql`
    DELETE FROM credentials WHERE id IN (
      SELECT c.id FROM credentials c INDEXED BY credentials_ended
      WHERE min(coalesce(c.revoked_at, c.expires_at), coalesce(c.expires_at, c.revoked_at)) <= ${endedBefore}
        AND coalesce(c.revoked_at, c.expires_at) IS NOT NULL AND c.id < (SELECT max(id) FROM credentials)
      ORDER BY min(coalesce(c.revoked_at, c.expires_at), coalesce(c.expires_at, c.revoked_at)) LIMIT ${limit})
    RETURNING id`);
}
