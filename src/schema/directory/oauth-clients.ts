import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** In the directory. `redirect_uris` is a JSON array. `expires_at` is null once a person has connected the client. */
export const oauthClients = sqliteTable(
  'oauth_clients',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    redirect_uris: text().notNull(),
    created_at: integer().notNull(),
    expires_at: integer(),
  },
  (table) => [index('oauth_clients_unused').on(table.expires_at).where(sql`expires_at IS NOT NULL`)],
);
