import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

export const invitations = sqliteTable(
  'invitations',
  {
    id: integer().primaryKey(),
    ws: integer().notNull(),
    token_hash: text().notNull(),
    /** Empty once the invitation has been accepted. */
    email: text().notNull(),
    email_key: text().notNull(),
    role: text({ enum: ['admin', 'lead', 'member', 'client'] }).notNull(),
    projects: text().notNull().default('[]'),
    invited_by: integer().notNull(),
    created_at: integer().notNull(),
    expires_at: integer().notNull(),
    sent_at: integer(),
    accepted_by: integer(),
    ended_at: integer(),
  },
  (table) => [
    uniqueIndex('invitations_open').on(table.ws, table.email_key).where(sql`ended_at IS NULL`),
    index('invitations_unsent').on(table.created_at).where(sql`sent_at IS NULL AND ended_at IS NULL`),
    index('invitations_by_age').on(table.created_at),
  ],
);
