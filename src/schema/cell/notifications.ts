import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Lists and counts leave out these types unless a request names them. A partial index uses the same condition. */
export const OPT_IN_CONDITION = "type IN ('unblocked', 'reminder', 'changes_proposed')";

export const notifications = sqliteTable(
  'notifications',
  {
    id: integer().primaryKey(),
    user_id: text().notNull(),
    ws: integer().notNull(),
    type: text({
      enum: [
        'task_assigned',
        'task_status_changed',
        'comment_added',
        'mentioned',
        'meeting_updated',
        'meeting_cancelled',
        'unblocked',
        'reminder',
        'changes_proposed',
      ],
    }).notNull(),
    task: integer(),
    comment: integer(),
    project: integer(),
    actor: integer(),
    read_at: integer(),
    created_at: integer().notNull(),
    is_read: integer().generatedAlwaysAs(sql`read_at IS NOT NULL`, { mode: 'virtual' }),
  },
  (table) => [
    index('notifications_by_user').on(table.user_id, table.is_read),
    index('notifications_opt_in').on(table.user_id, table.is_read).where(sql.raw(OPT_IN_CONDITION)),
    index('notifications_read').on(table.read_at).where(sql`read_at IS NOT NULL`),
  ],
);

/** Doesn't count notifications of the types in `OPT_IN_CONDITION`. */
export const notificationCounts = sqliteTable('notification_counts', {
  user_id: text().primaryKey(),
  total: integer().notNull().default(0),
  unread: integer().notNull().default(0),
});
