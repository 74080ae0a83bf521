import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const templates = sqliteTable(
  'templates',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    ws: integer().notNull(),
    kind: text({ enum: ['task', 'project'] }).notNull(),
    name: text().notNull(),
    description: text(),
    /** Only people who can see this project can use the template. If null, everyone except clients can. */
    project: integer(),
    /** The template's tasks and settings as JSON (src/templates/model/template-content.ts). */
    content: text().notNull(),
    creator: integer().notNull(),
    created_at: integer().notNull(),
    version: integer().notNull().default(1),
  },
  (table) => [
    index('templates_by_workspace').on(table.ws, table.kind),
    index('templates_by_project').on(table.project).where(sql`project IS NOT NULL`),
  ],
);
