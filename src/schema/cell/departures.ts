import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/** People who have left, but to whom open tasks are still assigned. */
export const departures = sqliteTable('departures', {
  member: integer().primaryKey(),
  ws: integer().notNull(),
  /** The new assignee of the tasks. With 0, they become unassigned. */
  heir: integer().notNull(),
  actor: integer().notNull(),
  created_at: integer().notNull(),
});
