import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/** People who left and still have open tasks assigned. */
export const departures = sqliteTable('departures', {
  member: integer().primaryKey(),
  ws: integer().notNull(),
  /** The new assignee of the tasks; 0 leaves them unassigned. */
  heir: integer().notNull(),
  actor: integer().notNull(),
  created_at: integer().notNull(),
});
