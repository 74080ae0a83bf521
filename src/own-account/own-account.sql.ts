import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** In the directory. A link holds a token, the table its SHA-256. */
export const accountLinks = sqliteTable('account_links', {
  token_hash: text('token_hash').primaryKey(),
  user_id: text('user_id').notNull(),
  purpose: text('purpose', { enum: ['password', 'email'] }).notNull(),
  /** The address that the link proves, if it is a new one. */
  email: text('email'),
  created_at: integer('created_at').notNull(),
  expires_at: integer('expires_at').notNull(),
});

/** In the directory. Pictures of people in R2, under `people/<id>`. */
export const pictures = sqliteTable('pictures', {
  id: text('id').primaryKey(),
  user_id: text('user_id').notNull(),
  file_type: text('file_type').notNull(),
  created_at: integer('created_at').notNull(),
});

/** In the cell: members whose account was deleted. */
export const forgottenMembers = sqliteTable('forgotten_members', {
  member: integer('member').primaryKey(),
  ws: integer('ws').notNull(),
  /** The events up to this one do not tell their name any more. */
  position: integer('position').notNull().default(0),
});
