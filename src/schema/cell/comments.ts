import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const comments = sqliteTable(
  'comments',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    ws: integer().notNull(),
    task: integer().notNull(),
    author: integer().notNull(),
    /** `project`, `assignee` and `archived` are copies of the task's values. */
    project: integer().notNull(),
    assignee: integer().notNull(),
    archived: integer().notNull(),
    /** The day of `created_at` in the workspace's time zone. */
    day: text().notNull(),
    created_at: integer().notNull(),
    bytes: integer().generatedAlwaysAs(sql`(octet_length(json_quote(content)) - 2)`, { mode: 'stored' }),
    content: text().notNull(),
    content_key: text().notNull().default(''),
    /** The comment that this one replies to. It is never a reply itself, and may have been deleted since. */
    parent: integer(),
  },
  (table) => [
    index('comments_by_task').on(table.task),
    index('comments_by_day').on(table.ws, table.day),
    index('comments_by_project').on(table.project).where(sql`archived = 0`),
    index('comments_by_assignee').on(table.assignee).where(sql`archived = 0 AND assignee > 0`),
    index('comments_long').on(table.ws).where(sql`bytes > 600`),
    index('comments_by_assignee_project')
      .on(table.assignee, table.project)
      .where(sql`archived = 0 AND assignee > 0`),
  ],
);
