import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/** Categories whose default hours, or those of a type, have changed, and how far their tasks have followed. */
export const hourChanges = sqliteTable('hour_changes', {
  category: integer().primaryKey(),
  ws: integer().notNull(),
  /** The last task that was looked at. */
  position: integer().notNull(),
});
