import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const comments = sqliteTable('comments', {
  id: integer('id').primaryKey(),
  ws: integer('ws').notNull(),
  task: integer('task').notNull(),
  /** Number of the author's membership. */
  author: integer('author').notNull(),
  content: text('content').notNull(),
  created_at: integer('created_at').notNull(),
  /** The folded content, for search. */
  content_key: text('content_key').notNull().default(''),
});
