import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const browserSessions = sqliteTable(
  'browser_sessions',
  {
    id_hash: text().primaryKey(),
    user_id: text().notNull(),
    user_agent: text().notNull().default(''),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
  },
  (table) => [
    index('browser_sessions_by_user').on(table.user_id),
    index('browser_sessions_by_expiry').on(table.expires_at),
  ],
);

/**
 * Stored in the directory. Ended sessions that may still have copies in cells. A trigger inserts a row for each deleted
 * session.
 */
export const endedSessions = sqliteTable(
  'ended_sessions',
  {
    id_hash: text().primaryKey(),
    user_id: text().notNull(),
  },
  (table) => [index('ended_sessions_by_user').on(table.user_id)],
);
