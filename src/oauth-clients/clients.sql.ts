import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** In the directory. `redirect_uris` is a JSON array; `expires_at` is null once a person let it in. */
export const oauthClients = sqliteTable('oauth_clients', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  redirect_uris: text('redirect_uris').notNull(),
  created_at: integer('created_at').notNull(),
  expires_at: integer('expires_at'),
});
