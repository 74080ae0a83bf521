import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Stored in the directory. A person without a row has the default modes (src/notifications/mail/mail-modes.ts). */
export const mailPreferences = sqliteTable(
  'mail_preferences',
  {
    user_id: text().primaryKey(),
    modes: text().notNull(),
    /** The time of the next daily email. Null if no type of notification is sent daily. */
    daily_at: integer(),
    /**
     * Daily emails omit notifications from before this time, because a previous email contained them or email was off.
     */
    daily_since: integer().notNull(),
  },
  (table) => [index('mail_preferences_daily').on(table.daily_at).where(sql`daily_at IS NOT NULL`)],
);

/** Stored in the directory. For each person and cell, the last notification that was considered for email. */
export const mailCursors = sqliteTable(
  'mail_cursors',
  { user_id: text().notNull(), cell: integer().notNull(), upto: integer().notNull() },
  (table) => [primaryKey({ columns: [table.user_id, table.cell] })],
);

/** Stored in the directory. For each cell, the last notification that was considered for email. */
export const mailedCells = sqliteTable('mailed_cells', {
  cell: integer().primaryKey(),
  upto: integer().notNull(),
});
