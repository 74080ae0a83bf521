import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const projects = sqliteTable(
  'projects',
  {
    id: integer().primaryKey(),
    ws: integer().notNull(),
    name: text().notNull(),
    description: text(),
    status: text().notNull().default('active'),
    owner: integer().notNull(),
    created_at: integer().notNull(),
    version: integer().notNull().default(1),
    /**
     * A JSON array with the label, visibility and limit of each status. Null if every status is visible under its own
     * name.
     */
    task_columns: text(),
    /** A JSON array of custom field ids, which can include deleted fields. Null if the project uses none. */
    field_ids: text(),
  },
  (table) => [
    index('projects_by_workspace').on(table.ws),
    index('projects_with_fields').on(table.ws).where(sql`field_ids IS NOT NULL`),
  ],
);

export const projectMembers = sqliteTable(
  'project_members',
  { project: integer().notNull(), member: integer().notNull() },
  (table) => [
    primaryKey({ columns: [table.project, table.member] }),
    index('project_members_by_member').on(table.member, table.project),
  ],
);
