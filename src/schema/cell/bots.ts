import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Bots are members without an account (docs/adr/0054). The member's row contains the name and role. */
export const bots = sqliteTable(
  'bots',
  {
    member: integer().primaryKey(),
    ws: integer().notNull(),
    /** When this member is removed, the person who takes over their projects becomes accountable for the bot. */
    accountable: integer().notNull(),
    icon: text().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [index('bots_by_workspace').on(table.ws)],
);
