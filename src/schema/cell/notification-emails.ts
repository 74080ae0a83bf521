import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Stored in the directory. Without a row, the defaults in modes.ts apply. */
export const mailPreferences = sqliteTable(
  'mail_preferences',
  {
    user_id: text().primaryKey(),
    modes: text().notNull(),
    /** The time of the next daily email. Null if no type is daily. */
    daily_at: integer(),
    /** Older notifications were in an earlier daily email, or email was turned off at that time. */
    daily_since: integer().notNull(),
  },
  (table) => [index('mail_preferences_daily').on(table.daily_at).where(sql`daily_at IS NOT NULL`)],
);

/** Stored in the directory. The last notification of a cell that was considered for email to a person. */
export const mailCursors = sqliteTable(
  'mail_cursors',
  { user_id: text().notNull(), cell: integer().notNull(), upto: integer().notNull() },
  (table) => [primaryKey({ columns: [table.user_id, table.cell] })],
);

/** Stored in the directory. How far each cell's notifications have been processed for email. */
export const mailedCells = sqliteTable('mailed_cells', {
  cell: integer().primaryKey(),
  upto: integer().notNull(),
});
