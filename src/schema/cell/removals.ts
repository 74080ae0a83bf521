import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Items that people removed and can restore for a few minutes (docs/adr/0017). */
export const removals = sqliteTable(
  'removals',
  {
    /** 0 if the item belongs to a person rather than a workspace. */
    ws: integer().notNull(),
    kind: text({ enum: ['attachment', 'meeting', 'notification'] }).notNull(),
    entity: integer().notNull(),
    user_id: text().notNull(),
    rows: text().notNull(),
    removed_at: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ws, table.kind, table.entity] }),
    index('removals_by_age').on(table.removed_at),
  ],
);
