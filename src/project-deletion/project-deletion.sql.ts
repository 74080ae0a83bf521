import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Deleted projects whose tasks are still there, under the negative number of the workspace. */
export const projectDeletions = sqliteTable('project_deletions', {
  project: integer().primaryKey(),
  ws: integer().notNull(),
  name: text().notNull(),
  /** How many there were. */
  tasks: integer().notNull(),
  tasks_left: integer().notNull(),
  created_at: integer().notNull(),
});
