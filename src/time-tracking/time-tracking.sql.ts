import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';

export const timeEntries = sqliteTable('time_entries', {
  id: integer('id').primaryKey(),
  ws: integer('ws').notNull(),
  /** Number of the membership whose time it is. */
  member: integer('member').notNull(),
  task: integer('task').notNull(),
  started_at: integer('started_at').notNull(),
  /** Null while it runs; a unique index allows one such row a member. */
  ended_at: integer('ended_at'),
});
