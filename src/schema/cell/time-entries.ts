import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';

export const timeEntries = sqliteTable('time_entries', {
  id: integer().primaryKey(),
  ws: integer().notNull(),
  /** Number of the membership whose time it is. */
  member: integer().notNull(),
  task: integer().notNull(),
  started_at: integer().notNull(),
  /** Null while it runs; a unique index allows one such row a member. */
  ended_at: integer(),
});
