import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** In the directory. `email_key` is the address in lower case; look-ups use it. */
export const users = sqliteTable('users', {
  id: text('id').primaryKey(),
  email: text('email').notNull(),
  email_key: text('email_key').notNull(),
  name: text('name').notNull(),
  image: text('image'),
  password_hash: text('password_hash'),
  verified_at: integer('verified_at'),
  created_at: integer('created_at').notNull(),
  deleted_at: integer('deleted_at'),
  version: integer('version').notNull().default(1),
  /** 0 until the cells have the copies of name, email and image. */
  is_settled: integer('is_settled').notNull().default(1),
});
