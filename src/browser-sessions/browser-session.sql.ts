import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** In the directory. The cookie holds the id, the table its SHA-256. */
export const browserSessions = sqliteTable('browser_sessions', {
  id_hash: text('id_hash').primaryKey(),
  user_id: text('user_id').notNull(),
  user_agent: text('user_agent').notNull().default(''),
  created_at: integer('created_at').notNull(),
  expires_at: integer('expires_at').notNull(),
});
