import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Stored in the directory. `redirect_uris` is a JSON array. `expires_at` is null after a person has connected the
 * client. `owner_id` is null for a client that registered itself.
 */
export const oauthClients = sqliteTable(
  'oauth_clients',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    redirect_uris: text().notNull(),
    created_at: integer().notNull(),
    expires_at: integer(),
    owner_id: text(),
    people: integer().notNull().default(0),
    deleted_at: integer(),
  },
  (table) => [
    index('oauth_clients_unused').on(table.expires_at).where(sql`expires_at IS NOT NULL`),
    index('oauth_clients_by_owner').on(table.owner_id).where(sql`owner_id IS NOT NULL`),
    index('oauth_clients_deleted').on(table.deleted_at).where(sql`deleted_at IS NOT NULL`),
  ],
);

/** People who have authorized an app that has an owner. If the app is deleted, these rows locate its tokens. */
export const oauthAppPeople = sqliteTable(
  'oauth_app_people',
  {
    client_id: text().notNull(),
    user_id: text().notNull(),
    workspace_id: text().notNull(),
    cell: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.client_id, table.user_id, table.workspace_id] }),
    index('oauth_app_people_by_person').on(table.user_id),
  ],
);
