import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Queued email. `next_attempt_at` is null if the email was sent or is no longer retried. */
export const outbox = sqliteTable(
  'outbox',
  {
    id: integer().primaryKey(),
    recipient: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    html: text().notNull(),
    /** The id of a person named in the email, if the email isn't sent to them. */
    about: text(),
    /** The URL for the List-Unsubscribe header. Null for transactional email. */
    unsubscribe: text(),
    created_at: integer().notNull(),
    attempts: integer().notNull().default(0),
    next_attempt_at: integer(),
    sent_at: integer(),
    last_error: text(),
  },
  (table) => [
    index('outbox_due').on(table.next_attempt_at).where(sql`next_attempt_at IS NOT NULL`),
    index('outbox_due_transactional')
      .on(table.next_attempt_at)
      .where(sql`next_attempt_at IS NOT NULL AND unsubscribe IS NULL`),
    index('outbox_by_age').on(table.created_at),
    index('outbox_given_up').on(table.created_at).where(sql`sent_at IS NULL AND next_attempt_at IS NULL`),
  ],
);
