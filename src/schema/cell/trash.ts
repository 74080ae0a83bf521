import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/** Deleted tasks, except descendants that were deleted with them (docs/adr/0056). */
export const trash = sqliteTable(
  'trash',
  {
    task: integer().primaryKey(),
    ws: integer().notNull(),
    project: integer().notNull(),
    /** The parent that the task gets back when it is restored. */
    former_parent: integer(),
    deleted_by: integer().notNull(),
    deleted_at: integer().notNull(),
    /** The last member whose notifications are hidden. Null once all are hidden. */
    hidden_up_to: integer(),
  },
  (table) => [
    index('trash_by_workspace').on(table.ws, table.deleted_at),
    index('trash_by_project').on(table.project),
    index('trash_by_time').on(table.deleted_at),
    index('trash_unfinished').on(table.hidden_up_to).where(sql`hidden_up_to IS NOT NULL`),
  ],
);

/** Tasks with comments that still have the task's former project or assignee. */
export const outdatedComments = sqliteTable('outdated_comments', {
  task: integer().primaryKey(),
  ws: integer().notNull(),
});
