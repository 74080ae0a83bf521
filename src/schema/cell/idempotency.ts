import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const idempotencyKeys = sqliteTable('idempotency_keys', {
  id: text().primaryKey(),
  request: text().notNull(),
  entity: integer(),
  status: integer(),
  answer: text(),
  /** Of the resource that is the answer, for its ETag. */
  version: integer(),
  created_at: integer().notNull(),
});
