import { sql } from 'drizzle-orm';
import { rows, write } from '../kernel/database.ts';

/**
 * Run them in this order: the counts read the rows before they are deleted. The second answers the deleted rows. The
 * newest row stays, so that no id is given twice.
 */
export function deleteLongRead(readBefore: number, limit: number) {
  const outdated = sql`
    SELECT o.id FROM notifications o INDEXED BY notifications_read
    WHERE o.read_at IS NOT NULL AND o.read_at <= ${readBefore} AND o.id < (SELECT max(id) FROM notifications)
    ORDER BY o.read_at, o.id LIMIT ${limit}`;
  return [
    write(sql`
      UPDATE notification_counts AS c SET total = c.total - gone.n
      FROM (SELECT n.user_id AS user_id, count(*) AS n FROM notifications n WHERE n.id IN (${outdated}) GROUP BY n.user_id) gone
      WHERE c.user_id = gone.user_id`),
    rows<{ id: number }>(sql`DELETE FROM notifications WHERE id IN (${outdated}) RETURNING id`),
  ] as const;
}
