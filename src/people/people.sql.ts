import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/** People who left and are still assigned open tasks. */
export const departures = sqliteTable('departures', {
  member: integer('member').primaryKey(),
  ws: integer('ws').notNull(),
  /** Who gets the tasks; 0 for nobody. */
  heir: integer('heir').notNull(),
  /** On whose behalf. */
  actor: integer('actor').notNull(),
  created_at: integer('created_at').notNull(),
});
