import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const idempotencyKeys = sqliteTable('idempotency_keys', {
  id: text().primaryKey(),
  request: text().notNull(),
  entity: integer(),
  status: integer(),
  answer: text(),
  created_at: integer().notNull(),
});
