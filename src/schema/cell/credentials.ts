import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const credentials = sqliteTable(
  'credentials',
  {
    id: integer().primaryKey(),
    hash: text().notNull(),
    ws: integer().notNull(),
    member: integer().notNull(),
    kind: text({ enum: ['api_key', 'oauth'] }).notNull(),
    name: text().notNull(),
    prefix: text().notNull(),
    scopes: text().notNull(),
    client_id: text(),
    created_at: integer().notNull(),
    last_used_at: integer(),
    expires_at: integer(),
    revoked_at: integer(),
  },
  (table) => [
    index('credentials_by_member').on(table.member),
    index('credentials_ended')
      .on(sql`min(coalesce(revoked_at, expires_at), coalesce(expires_at, revoked_at))`)
      .where(sql`coalesce(revoked_at, expires_at) IS NOT NULL`),
  ],
);
