import { sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const notifications = sqliteTable('notifications', {
  id: integer('id').primaryKey(),
  user_id: text('user_id').notNull(),
  ws: integer('ws').notNull(),
  type: text('type').notNull(),
  task: integer('task'),
  comment: integer('comment'),
  project: integer('project'),
  actor: integer('actor'),
  read_at: integer('read_at'),
  created_at: integer('created_at').notNull(),
  is_read: integer('is_read').generatedAlwaysAs(sql`read_at IS NOT NULL`, { mode: 'virtual' }),
});

export const notificationCounts = sqliteTable('notification_counts', {
  user_id: text('user_id').primaryKey(),
  total: integer('total').notNull().default(0),
  unread: integer('unread').notNull().default(0),
});
