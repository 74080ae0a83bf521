import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/** Deleted tasks. Descendants that were deleted with a task have no row (docs/adr/0056). */
export const trash = sqliteTable(
  'trash',
  {
    task: integer().primaryKey(),
    ws: integer().notNull(),
    project: integer().notNull(),
    /** The parent that the task had before it was deleted. */
    former_parent: integer(),
    deleted_by: integer().notNull(),
    deleted_at: integer().notNull(),
    /** The last member whose notifications about the task have been hidden. Null once all are hidden. */
    hidden_up_to: integer(),
  },
  (table) => [
    index('trash_by_workspace').on(table.ws, table.deleted_at),
    index('trash_by_project').on(table.project),
    index('trash_by_time').on(table.deleted_at),
    index('trash_unfinished').on(table.hidden_up_to).where(sql`hidden_up_to IS NOT NULL`),
  ],
);

/** Tasks with comments that don't have the task's current project, assignee or archived state yet. */
export const outdatedComments = sqliteTable('outdated_comments', {
  task: integer().primaryKey(),
  ws: integer().notNull(),
});
