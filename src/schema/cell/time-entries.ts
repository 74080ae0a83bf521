import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, uniqueIndex } from 'drizzle-orm/sqlite-core';

export const timeEntries = sqliteTable(
  'time_entries',
  {
    id: integer().primaryKey(),
    ws: integer().notNull(),
    member: integer().notNull(),
    task: integer().notNull(),
    started_at: integer().notNull(),
    ended_at: integer(),
  },
  (table) => [
    uniqueIndex('time_entries_running').on(table.member).where(sql`ended_at IS NULL`),
    index('time_entries_by_member').on(table.member, table.started_at),
    index('time_entries_by_task').on(table.task),
    index('time_entries_by_workspace').on(table.ws).where(sql`id > 0`),
  ],
);
