import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Projects that are being deleted. Their tasks are hidden by negating the workspace and project numbers. */
export const projectDeletions = sqliteTable(
  'project_deletions',
  {
    project: integer().primaryKey(),
    ws: integer().notNull(),
    name: text().notNull(),
    tasks: integer().notNull(),
    tasks_left: integer().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [index('project_deletions_by_workspace').on(table.ws)],
);
