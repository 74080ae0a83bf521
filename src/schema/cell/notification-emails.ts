import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** In the directory. Without a row, the defaults of modes.ts apply. */
export const mailPreferences = sqliteTable(
  'mail_preferences',
  {
    user_id: text().primaryKey(),
    modes: text().notNull(),
    /** When the next daily mail is due. Null if no type is daily. */
    daily_at: integer(),
    /** Older notifications were in an earlier daily mail, or mail was turned off at that time. */
    daily_since: integer().notNull(),
  },
  (table) => [index('mail_preferences_daily').on(table.daily_at).where(sql`daily_at IS NOT NULL`)],
);

/** In the directory: the last notification of a cell that was checked for mail to a person. */
export const mailCursors = sqliteTable(
  'mail_cursors',
  { user_id: text().notNull(), cell: integer().notNull(), upto: integer().notNull() },
  (table) => [primaryKey({ columns: [table.user_id, table.cell] })],
);

/** In the directory: how far the notifications of each cell have been checked for mail to send. */
export const mailedCells = sqliteTable('mailed_cells', {
  cell: integer().primaryKey(),
  upto: integer().notNull(),
});
