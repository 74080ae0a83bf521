import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** In the directory. */
export const sentForms = sqliteTable('sent_forms', {
  id: text().primaryKey(),
  made: text(),
  created_at: integer().notNull(),
});
