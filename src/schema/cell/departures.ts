import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/** People who have left but still have open tasks assigned to them. */
export const departures = sqliteTable('departures', {
  member: integer().primaryKey(),
  ws: integer().notNull(),
  /** The tasks' new assignee. With 0, they become unassigned. */
  heir: integer().notNull(),
  actor: integer().notNull(),
  created_at: integer().notNull(),
});
