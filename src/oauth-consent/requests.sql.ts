import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** In the directory: what a consent page asks about. `scopes` are separated by spaces. */
export const oauthRequests = sqliteTable('oauth_requests', {
  id_hash: text('id_hash').primaryKey(),
  session_hash: text('session_hash').notNull(),
  client_id: text('client_id').notNull(),
  client_name: text('client_name').notNull(),
  redirect_uri: text('redirect_uri').notNull(),
  challenge: text('challenge').notNull(),
  scopes: text('scopes').notNull(),
  state: text('state'),
  resource: text('resource'),
  created_at: integer('created_at').notNull(),
  expires_at: integer('expires_at').notNull(),
});
