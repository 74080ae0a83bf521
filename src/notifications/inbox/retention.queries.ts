import { readRows, write } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { notificationCounts, notifications, OPT_IN_CONDITION } from '../../schema/cell/notifications.ts';

const c = aliasTable(notificationCounts, 'c');
const n = aliasTable(notifications, 'n');
const o = aliasTable(notifications, 'o');

const isOptIn = sql.raw(OPT_IN_CONDITION);
const idColumn = selectColumns({ id: notifications.id });

function selectOldReadNotifications(readBefore: number): SQL {
  return sql`
    SELECT ${o.id} FROM ${o} INDEXED BY notifications_read
    WHERE ${o.read_at} IS NOT NULL AND ${o.read_at} <= ${readBefore}
      AND ${o.id} < (SELECT max(${notifications.id}) FROM ${notifications})`;
}

export function hasOldReadNotifications(readBefore: number): SQL {
  return sql`EXISTS (${selectOldReadNotifications(readBefore)})`;
}

/**
 * Updates the counts, and then deletes the notifications, except the newest in the table, so that its id isn't reused.
 * The second statement returns the deleted rows.
 */
export function deleteOldReadNotifications(readBefore: number, limit: number) {
  const outdated = sql`${selectOldReadNotifications(readBefore)}
    ORDER BY ${o.read_at}, ${o.id} LIMIT ${limit}`;
  return [
    write(sql`
      UPDATE ${notificationCounts} AS c SET ${notificationCounts.total} = ${c.total} - gone.n
      FROM (SELECT ${n.user_id} AS user_id, sum(NOT (${isOptIn})) AS n
        FROM ${n} WHERE ${n.id} IN (${outdated}) GROUP BY ${n.user_id}) gone
      WHERE ${c.user_id} = gone.user_id`),
    readRows(sql`DELETE FROM ${notifications} WHERE ${notifications.id} IN (${outdated})
      RETURNING ${idColumn}`),
  ] as const;
}
