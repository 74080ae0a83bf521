import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core';

/** Reminders that people set for themselves. If a task has any, its `has_reminders` is 1. */
export const reminders = sqliteTable(
  'reminders',
  {
    task: integer().notNull(),
    member: integer().notNull(),
    /** The reminder's position in the person's list. */
    place: integer().notNull(),
    ws: integer().notNull(),
    /** The number of minutes before the due time. Null if `at` is set. */
    minutes_before: integer(),
    at: integer(),
    /**
     * The time in milliseconds at which to deliver the reminder. Null if it was delivered or if the task has no
     * deadline.
     */
    remind_at: integer(),
  },
  (table) => [
    primaryKey({ columns: [table.task, table.member, table.place] }),
    index('reminders_due').on(table.remind_at).where(sql`remind_at IS NOT NULL`),
    index('reminders_due_by_workspace').on(table.ws).where(sql`remind_at IS NOT NULL`),
  ],
);
