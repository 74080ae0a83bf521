import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Bots are members without an account (docs/adr/0054). The row of the member contains their name and role. */
export const bots = sqliteTable(
  'bots',
  {
    member: integer().primaryKey(),
    ws: integer().notNull(),
    /** The accountable person. If that person has left, the first owner of the workspace is accountable. */
    accountable: integer().notNull(),
    icon: text().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [index('bots_by_workspace').on(table.ws)],
);
