import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/** People who have left the workspace but still have open tasks. */
export const departures = sqliteTable('departures', {
  member: integer().primaryKey(),
  ws: integer().notNull(),
  /** The member who gets the tasks. If 0, the tasks become unassigned. */
  heir: integer().notNull(),
  actor: integer().notNull(),
  created_at: integer().notNull(),
});
