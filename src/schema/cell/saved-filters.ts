import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const savedFilters = sqliteTable(
  'saved_filters',
  {
    id: integer().primaryKey(),
    ws: integer().notNull(),
    member: integer().notNull(),
    name: text().notNull(),
    is_shared: integer().$type<0 | 1>().notNull(),
    /** The filter as JSON (src/tasks/saved-filters/task-filter.ts). */
    filter: text().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [
    index('saved_filters_by_member').on(table.member),
    index('saved_filters_shared').on(table.ws).where(sql`is_shared = 1`),
  ],
);
