import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const calendarFeeds = sqliteTable('calendar_feeds', {
  member: integer().primaryKey(),
  ws: integer().notNull(),
  hash: text().notNull(),
  /** The feed's URL is derived from this nonce and a key that isn't in the database. */
  nonce: text().notNull(),
  created_at: integer().notNull(),
});
