import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Bots are members without an account (docs/adr/0054). Their name and role are those of the member. */
export const bots = sqliteTable(
  'bots',
  {
    member: integer().primaryKey(),
    ws: integer().notNull(),
    /** The accountable person. If they have left, the first owner of the workspace is. */
    accountable: integer().notNull(),
    icon: text().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [index('bots_by_workspace').on(table.ws)],
);
