import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/** Deleted workspaces whose contents haven't been deleted yet. */
export const workspaceDeletions = sqliteTable('workspace_deletions', {
  ws: integer().primaryKey(),
  created_at: integer().notNull(),
});
