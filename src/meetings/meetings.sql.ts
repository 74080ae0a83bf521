import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** One row a meeting, however often it recurs. */
export const meetings = sqliteTable('meetings', {
  id: integer('id').primaryKey(),
  ws: integer('ws').notNull(),
  project: integer('project').notNull(),
  name: text('name').notNull(),
  description: text('description'),
  link: text('link'),
  location: text('location'),
  duration_minutes: integer('duration_minutes').notNull(),
  /** RRULE, verbatim. */
  recurrence: text('recurrence'),
  first_date: text('first_date').notNull(),
  first_time: text('first_time').notNull(),
  /** Number of the latest occurrence, from 1. */
  occurrence: integer('occurrence').notNull().default(1),
  /** The day on which the rule puts the latest occurrence, even if it was moved. */
  slot: text('slot').notNull(),
  /** When the latest occurrence starts, on the wall clock of the workspace. */
  date: text('date').notNull(),
  time: text('time').notNull(),
  /** When the next occurrence is to be made (UTC ms); null if there is none. */
  due_at: integer('due_at'),
  created_by: integer('created_by').notNull(),
  created_at: integer('created_at').notNull(),
  cancelled_at: integer('cancelled_at'),
  version: integer('version').notNull().default(1),
});

/** Who takes part in an occurrence, and with which task. */
export const meetingTasks = sqliteTable(
  'meeting_tasks',
  {
    meeting: integer('meeting').notNull(),
    occurrence: integer('occurrence').notNull(),
    member: integer('member').notNull(),
    task: integer('task').notNull(),
  },
  (table) => [primaryKey({ columns: [table.meeting, table.occurrence, table.member] })],
);
