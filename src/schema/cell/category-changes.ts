import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/** Categories with changed default hours (their own or a type's), whose tasks are being updated. */
export const hourChanges = sqliteTable('hour_changes', {
  category: integer().primaryKey(),
  ws: integer().notNull(),
  position: integer().notNull(),
});
