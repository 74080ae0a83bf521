import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/** Deleted tasks. Descendants that were deleted with a task have no row (docs/adr/0056). */
export const trash = sqliteTable(
  'trash',
  {
    task: integer().primaryKey(),
    ws: integer().notNull(),
    project: integer().notNull(),
    former_parent: integer(),
    deleted_by: integer().notNull(),
    deleted_at: integer().notNull(),
    /**
     * Notifications about the task are hidden for members whose number is at most this one. Null once the notifications
     * are hidden for everyone.
     */
    hidden_up_to: integer(),
  },
  (table) => [
    index('trash_by_workspace').on(table.ws, table.deleted_at),
    index('trash_by_project').on(table.project),
    index('trash_by_time').on(table.deleted_at),
    index('trash_unfinished').on(table.hidden_up_to).where(sql`hidden_up_to IS NOT NULL`),
  ],
);

/** Tasks whose comments still have outdated copies of the task's project, assignee or archived state. */
export const outdatedComments = sqliteTable('outdated_comments', {
  task: integer().primaryKey(),
  ws: integer().notNull(),
});
