import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** One per browser session. A trigger deletes it with its session. */
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

/**
 * A person without a row has the default types (src/notifications/push/push-types.ts). `types` is a JSON array. A trigger
 * deletes the row when the account is deleted.
 */
export const pushPreferences = sqliteTable('push_preferences', {
  user_id: text().primaryKey(),
  types: text().notNull(),
});
