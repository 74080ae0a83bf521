import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/** Deleted tasks, without the tasks below them, which are deleted with them (docs/adr/0056). */
export const trash = sqliteTable(
  'trash',
  {
    task: integer().primaryKey(),
    ws: integer().notNull(),
    project: integer().notNull(),
    /** The parent to return to. */
    former_parent: integer(),
    deleted_by: integer().notNull(),
    deleted_at: integer().notNull(),
    /** The last member whose notifications are hidden. Null once everyone's are. */
    hidden_up_to: integer(),
  },
  (table) => [
    index('trash_by_workspace').on(table.ws, table.deleted_at),
    index('trash_by_project').on(table.project),
    index('trash_by_time').on(table.deleted_at),
    index('trash_unfinished').on(table.hidden_up_to).where(sql`hidden_up_to IS NOT NULL`),
  ],
);

/** Tasks with comments that don't have the project and assignee of the task yet. */
export const outdatedComments = sqliteTable('outdated_comments', {
  task: integer().primaryKey(),
  ws: integer().notNull(),
});
