import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    id: text().primaryKey(),
    request: text().notNull(),
    entity: integer(),
    status: integer(),
    answer: text(),
    version: integer(),
    created_at: integer().notNull(),
  },
  (table) => [index('idempotency_keys_by_age').on(table.created_at)],
);
