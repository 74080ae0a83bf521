import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The secret address of a member's calendar. */
export const calendarFeeds = sqliteTable('calendar_feeds', {
  member: integer().primaryKey(),
  ws: integer().notNull(),
  hash: text().notNull(),
  /** What the address is derived from, with a key that is not in the database. */
  nonce: text().notNull(),
  created_at: integer().notNull(),
});
