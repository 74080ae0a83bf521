import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/** Categories whose tasks are being updated because default hours changed, of the category or one of its types. */
export const hourChanges = sqliteTable('hour_changes', {
  category: integer().primaryKey(),
  ws: integer().notNull(),
  position: integer().notNull(),
});
