import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const activities = sqliteTable('activities', {
  id: integer('id').primaryKey(),
  ws: integer('ws').notNull(),
  task: integer('task').notNull(),
  type: text('type').notNull(),
  field: text('field'),
  from_value: text('from_value'),
  to_value: text('to_value'),
  /** Number of the actor's membership. */
  actor: integer('actor').notNull(),
  via: text('via').notNull(),
  comment: integer('comment'),
  created_at: integer('created_at').notNull(),
});
