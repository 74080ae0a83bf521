import { sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const comments = sqliteTable('comments', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  ws: integer('ws').notNull(),
  task: integer('task').notNull(),
  /** Number of the author's membership. */
  author: integer('author').notNull(),
  /** Those of the task. */
  project: integer('project').notNull(),
  assignee: integer('assignee').notNull(),
  archived: integer('archived').notNull(),
  /** Day of `created_at` on the clock of the workspace. */
  day: text('day').notNull(),
  created_at: integer('created_at').notNull(),
  bytes: integer('bytes').generatedAlwaysAs(sql`(octet_length(json_quote(content)) - 2)`, { mode: 'stored' }),
  content: text('content').notNull(),
  /** The folded content, for search. */
  content_key: text('content_key').notNull().default(''),
});
