import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** A recurring meeting has a single row. */
export const meetings = sqliteTable(
  'meetings',
  {
    id: integer().primaryKey(),
    ws: integer().notNull(),
    project: integer().notNull(),
    name: text().notNull(),
    description: text(),
    link: text(),
    location: text(),
    duration_minutes: integer().notNull(),
    recurrence: text(),
    first_date: text().notNull(),
    first_time: text().notNull(),
    occurrence: integer().notNull().default(1),
    /** The date of the latest occurrence according to the rule, even if that occurrence was moved. */
    slot: text().notNull(),
    /** `date` and `time` are the start of the latest occurrence in the workspace's time zone. */
    date: text().notNull(),
    time: text().notNull(),
    /** When to create the next occurrence, in milliseconds. Null if there is none. */
    due_at: integer(),
    created_by: integer().notNull(),
    created_at: integer().notNull(),
    cancelled_at: integer(),
    version: integer().notNull().default(1),
  },
  (table) => [
    index('meetings_by_project')
      .on(table.project, table.date, table.time, table.due_at)
      .where(sql`cancelled_at IS NULL`),
    index('meetings_by_workspace')
      .on(table.ws, table.date, table.time, table.due_at)
      .where(sql`cancelled_at IS NULL`),
    index('meetings_of_project').on(table.project),
    index('meetings_due').on(table.due_at).where(sql`due_at IS NOT NULL AND cancelled_at IS NULL`),
  ],
);

export const meetingTasks = sqliteTable(
  'meeting_tasks',
  {
    meeting: integer().notNull(),
    occurrence: integer().notNull(),
    member: integer().notNull(),
    task: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.meeting, table.occurrence, table.member] })],
);
