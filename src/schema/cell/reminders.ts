import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';

export const reminders = sqliteTable(
  'reminders',
  {
    task: integer().notNull(),
    member: integer().notNull(),
    place: integer().notNull(),
    ws: integer().notNull(),
    /** Minutes before the due time. Null if `at` is set. */
    minutes_before: integer(),
    at: integer(),
    /**
     * When to deliver the reminder, in milliseconds. Null once it has been delivered, or if `minutes_before` is set but
     * the task has no deadline.
     */
    remind_at: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.task, table.member, table.place] }),
    index('reminders_due').on(table.remind_at).where(sql`remind_at IS NOT NULL`),
    index('reminders_due_by_workspace').on(table.ws).where(sql`remind_at IS NOT NULL`),
  ],
);
