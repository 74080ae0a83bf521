import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Mails to send. `next_attempt_at` is null once a mail was sent or given up. */
export const outbox = sqliteTable('outbox', {
  id: integer('id').primaryKey(),
  recipient: text('recipient').notNull(),
  subject: text('subject').notNull(),
  text: text('text').notNull(),
  html: text('html').notNull(),
  /** Id of the person whom the mail names besides its recipient. */
  about: text('about'),
  created_at: integer('created_at').notNull(),
  attempts: integer('attempts').notNull().default(0),
  next_attempt_at: integer('next_attempt_at'),
  sent_at: integer('sent_at'),
  last_error: text('last_error'),
});
