import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Stored in the directory. `email_key` is the address in lower case, for lookups. */
export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    email: text().notNull(),
    email_key: text().notNull(),
    name: text().notNull(),
    image: text(),
    password_hash: text(),
    verified_at: integer(),
    created_at: integer().notNull(),
    deleted_at: integer(),
    version: integer().notNull().default(1),
    password_changed_at: integer(),
    /** Access granted before this time must be revoked. Null once it has been revoked in every cell. */
    access_ends_at: integer(),
    /** 0 until every cell has the current name, email and image, and a copy of the person's audit entries. */
    is_settled: integer().$type<0 | 1>().notNull().default(1),
  },
  (table) => [index('users_unsettled').on(table.id).where(sql`is_settled = 0`)],
);

export const emailVerifications = sqliteTable(
  'email_verifications',
  {
    token_hash: text().primaryKey(),
    user_id: text().notNull(),
    expires_at: integer().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [index('email_verifications_by_expiry').on(table.expires_at)],
);
