import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const recurrenceModes = ['schedule', 'completion'] as const;
export type RecurrenceMode = (typeof recurrenceModes)[number];

/**
 * One row per task that has a rule or belongs to a series. While there is a rule, `tasks.repeats` contains a copy of
 * `mode`.
 */
export const recurrences = sqliteTable(
  'recurrences',
  {
    task: integer().primaryKey(),
    ws: integer().notNull(),
    /** Null after the rule has moved to the next task or the series has ended. */
    rule: text(),
    mode: text({ enum: recurrenceModes }).notNull(),
    /**
     * In `completion` mode, the number of days from completion to the next deadline. Null if the rule determines the
     * deadline.
     */
    days: integer(),
    first_day: text().notNull(),
    /** This task's day in the series, even if its deadline was moved. */
    slot: text().notNull(),
    /** The task's number in the series, starting with 1. */
    occurrence: integer().notNull().default(1),
    /** When to create the next task, in milliseconds. Set only in `schedule` mode. */
    due_at: integer(),
    previous_task: integer(),
    next_task: integer(),
    created_by: integer().notNull(),
    version: integer().notNull().default(1),
  },
  (table) => [
    index('recurrences_due').on(table.due_at).where(sql`due_at IS NOT NULL`),
    index('recurrences_due_by_workspace').on(table.ws).where(sql`due_at IS NOT NULL`),
  ],
);
