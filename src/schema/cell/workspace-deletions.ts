import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';

export const workspaceDeletions = sqliteTable('workspace_deletions', {
  ws: integer().primaryKey(),
  created_at: integer().notNull(),
});
