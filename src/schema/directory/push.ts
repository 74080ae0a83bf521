import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** One per browser session. Triggers delete it with its session, and its messages with it. */
export const pushSubscriptions = sqliteTable(
  'push_subscriptions',
  {
    session_hash: text().primaryKey(),
    user_id: text().notNull(),
    endpoint: text().notNull(),
    p256dh: text().notNull(),
    auth: text().notNull(),
    /** The public VAPID key of the subscription. Push services reject messages that are signed with another key. */
    server_key: text().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [
    uniqueIndex('push_subscriptions_by_endpoint').on(table.endpoint),
    index('push_subscriptions_by_user').on(table.user_id),
  ],
);

/** Messages that a push service hasn't accepted yet. `body` is encrypted for the browser, in base64. */
export const pushMessages = sqliteTable(
  'push_messages',
  {
    id: integer().primaryKey(),
    session_hash: text().notNull(),
    topic: text().notNull(),
    urgency: text().$type<'normal' | 'high'>().notNull(),
    body: text().notNull(),
    attempts: integer().notNull().default(0),
    next_attempt_at: integer().notNull(),
    expires_at: integer().notNull(),
  },
  (table) => [
    uniqueIndex('push_messages_by_topic').on(table.session_hash, table.topic),
    index('push_messages_due').on(table.next_attempt_at),
  ],
);

/**
 * A person without a row has the default types (src/notifications/push/push-types.ts). `types` is a JSON array. A trigger
 * deletes the row when the account is deleted.
 */
export const pushPreferences = sqliteTable('push_preferences', {
  user_id: text().primaryKey(),
  types: text().notNull(),
});

/** For each cell, the last notification that was considered for push. */
export const pushedCells = sqliteTable('pushed_cells', {
  cell: integer().primaryKey(),
  upto: integer().notNull(),
});
