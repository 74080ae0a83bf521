import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/**
 * Categories whose tasks are being updated, because the default hours of the category or of one of its types changed.
 */
export const hourChanges = sqliteTable('hour_changes', {
  category: integer().primaryKey(),
  ws: integer().notNull(),
  position: integer().notNull(),
});
