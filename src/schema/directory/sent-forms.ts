import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const sentForms = sqliteTable(
  'sent_forms',
  {
    id: text().primaryKey(),
    made: text(),
    created_at: integer().notNull(),
  },
  (table) => [index('sent_forms_by_age').on(table.created_at)],
);
