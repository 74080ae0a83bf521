import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/** People who left and are still assigned open tasks. */
export const departures = sqliteTable('departures', {
  member: integer().primaryKey(),
  ws: integer().notNull(),
  /** Who gets the tasks; 0 for nobody. */
  heir: integer().notNull(),
  /** On whose behalf. */
  actor: integer().notNull(),
  created_at: integer().notNull(),
});
