import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** In the directory. The cookie holds the id, the table its SHA-256. */
export const browserSessions = sqliteTable('browser_sessions', {
  id_hash: text().primaryKey(),
  user_id: text().notNull(),
  user_agent: text().notNull().default(''),
  created_at: integer().notNull(),
  expires_at: integer().notNull(),
});
