import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** In the cell. It stores the SHA-256 of the secret, and the parts by which a person recognises it. */
export const credentials = sqliteTable('credentials', {
  id: integer('id').primaryKey(),
  hash: text('hash').notNull(),
  ws: integer('ws').notNull(),
  member: integer('member').notNull(),
  kind: text('kind', { enum: ['api_key', 'oauth'] }).notNull(),
  name: text('name').notNull(),
  prefix: text('prefix').notNull(),
  scopes: text('scopes').notNull(),
  client_id: text('client_id'),
  created_at: integer('created_at').notNull(),
  last_used_at: integer('last_used_at'),
  expires_at: integer('expires_at'),
  revoked_at: integer('revoked_at'),
});
