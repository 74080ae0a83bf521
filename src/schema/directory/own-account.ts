import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const accountLinks = sqliteTable(
  'account_links',
  {
    token_hash: text().primaryKey(),
    user_id: text().notNull(),
    purpose: text({ enum: ['password', 'email'] }).notNull(),
    /** The new address that the link verifies. Null for a password reset. */
    email: text(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
  },
  (table) => [
    index('account_links_by_user').on(table.user_id),
    index('account_links_by_expiry').on(table.expires_at),
  ],
);

/** The picture itself is stored in R2 under `people/<id>`. */
export const pictures = sqliteTable(
  'pictures',
  {
    id: text().primaryKey(),
    user_id: text().notNull(),
    file_type: text().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [index('pictures_by_age').on(table.created_at)],
);
