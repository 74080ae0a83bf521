import { sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const comments = sqliteTable('comments', {
  id: integer().primaryKey({ autoIncrement: true }),
  ws: integer().notNull(),
  task: integer().notNull(),
  /** Number of the author's membership. */
  author: integer().notNull(),
  /** Those of the task. */
  project: integer().notNull(),
  assignee: integer().notNull(),
  archived: integer().notNull(),
  /** Day of `created_at` on the clock of the workspace. */
  day: text().notNull(),
  created_at: integer().notNull(),
  bytes: integer().generatedAlwaysAs(sql`(octet_length(json_quote(content)) - 2)`, { mode: 'stored' }),
  content: text().notNull(),
  /** The folded content, for search. */
  content_key: text().notNull().default(''),
});
