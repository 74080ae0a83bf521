import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const oauthCodes = sqliteTable(
  'oauth_codes',
  {
    code_hash: text().primaryKey(),
    client_id: text().notNull(),
    client_name: text().notNull(),
    redirect_uri: text().notNull(),
    challenge: text().notNull(),
    scopes: text().notNull(),
    resource: text(),
    user_id: text().notNull(),
    workspace_id: text().notNull(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    used_at: integer(),
    token_hash: text(),
    kept_until: integer().notNull(),
    ip: text(),
    user_agent: text(),
  },
  (table) => [index('oauth_codes_by_age').on(table.kept_until)],
);
