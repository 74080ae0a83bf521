import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Projects that are being deleted. Hidden tasks carry the negative numbers of their workspace and project. */
export const projectDeletions = sqliteTable(
  'project_deletions',
  {
    project: integer().primaryKey(),
    ws: integer().notNull(),
    name: text().notNull(),
    /** How many there were. */
    tasks: integer().notNull(),
    tasks_left: integer().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [index('project_deletions_by_workspace').on(table.ws)],
);
