import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** In the cell. The link holds a token, the table its SHA-256. */
export const invitations = sqliteTable('invitations', {
  id: integer('id').primaryKey(),
  ws: integer('ws').notNull(),
  token_hash: text('token_hash').notNull(),
  /** Empty once it was accepted. */
  email: text('email').notNull(),
  email_key: text('email_key').notNull(),
  role: text('role', { enum: ['admin', 'lead', 'member', 'client'] }).notNull(),
  /** JSON array of project ids. */
  projects: text('projects').notNull().default('[]'),
  invited_by: integer('invited_by').notNull(),
  created_at: integer('created_at').notNull(),
  expires_at: integer('expires_at').notNull(),
  /** Null until the mail is queued. */
  sent_at: integer('sent_at'),
  accepted_by: integer('accepted_by'),
  ended_at: integer('ended_at'),
});
