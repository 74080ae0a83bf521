import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const oauthRequests = sqliteTable(
  'oauth_requests',
  {
    id_hash: text().primaryKey(),
    session_hash: text().notNull(),
    client_id: text().notNull(),
    client_name: text().notNull(),
    redirect_uri: text().notNull(),
    challenge: text().notNull(),
    scopes: text().notNull(),
    state: text(),
    resource: text(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
  },
  (table) => [
    index('oauth_requests_by_session').on(table.session_hash, table.created_at),
    index('oauth_requests_by_expiry').on(table.expires_at),
  ],
);
