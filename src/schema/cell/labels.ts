import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A tag's color and description in a workspace (docs/adr/0051). */
export const labels = sqliteTable(
  'labels',
  {
    ws: integer().notNull(),
    label_key: text().notNull(),
    color: text(),
    description: text(),
  },
  (table) => [primaryKey({ columns: [table.ws, table.label_key] })],
);

/** Counts unarchived tasks per tag, in one row per project and one for the whole workspace (project 0). */
export const labelCounts = sqliteTable(
  'label_counts',
  {
    ws: integer().notNull(),
    project: integer().notNull(),
    label_key: text().notNull(),
    /** The tag as it is spelled in one of the counted tasks. */
    name: text().notNull(),
    tasks: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.ws, table.project, table.label_key] })],
);
