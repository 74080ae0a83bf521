import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Entries for the audit logs of a person's workspaces, stored until the cells have copied them. A trigger sets the
 * person's `is_settled` to 0 for each new entry.
 */
export const accountActs = sqliteTable(
  'account_acts',
  {
    id: text().primaryKey(),
    user_id: text().notNull(),
    type: text().notNull(),
    credential_kind: text().notNull(),
    ip: text(),
    user_agent: text(),
    details: text().notNull().default('{}'),
    occurred_at: integer().notNull(),
  },
  (table) => [index('account_acts_by_user').on(table.user_id)],
);
