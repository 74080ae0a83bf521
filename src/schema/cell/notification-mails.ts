import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** In the directory: which notifications a person wants by mail, and when. Without a row: the usual (modes.ts). */
export const mailPreferences = sqliteTable(
  'mail_preferences',
  {
    user_id: text().primaryKey(),
    /** A JSON object: the mode of each kind. */
    modes: text().notNull(),
    /** When the next daily mail is due; null where no kind comes daily. */
    daily_at: integer(),
    /** What is older was in an earlier daily mail, or was not wanted. */
    daily_since: integer().notNull(),
  },
  (table) => [index('mail_preferences_daily').on(table.daily_at).where(sql`daily_at IS NOT NULL`)],
);

/** In the directory: up to which notification of a cell the mails at once have told a person. */
export const mailCursors = sqliteTable(
  'mail_cursors',
  { user_id: text().notNull(), cell: integer().notNull(), upto: integer().notNull() },
  (table) => [primaryKey({ columns: [table.user_id, table.cell] })],
);

/** In the directory: up to which notification of a cell it is decided whom to tell at once. */
export const mailedCells = sqliteTable('mailed_cells', {
  cell: integer().primaryKey(),
  upto: integer().notNull(),
});
