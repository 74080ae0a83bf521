import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Deleted projects whose tasks are still there, under the negative number of the workspace. */
export const projectDeletions = sqliteTable('project_deletions', {
  project: integer('project').primaryKey(),
  ws: integer('ws').notNull(),
  name: text('name').notNull(),
  /** How many there were. */
  tasks: integer('tasks').notNull(),
  created_at: integer('created_at').notNull(),
});
