import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const idempotencyKeys = sqliteTable('idempotency_keys', {
  id: text('id').primaryKey(),
  request: text('request').notNull(),
  entity: integer('entity'),
  status: integer('status'),
  answer: text('answer'),
  created_at: integer('created_at').notNull(),
});
