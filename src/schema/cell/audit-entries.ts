import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** The audit log (docs/adr/0046). An entry is about a member, or about the item named in `subject_name`. */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    id: integer().primaryKey(),
    ws: integer().notNull(),
    type: text().notNull(),
    /** The member who acted, or whose password someone tried. Null if Edgework or its operator acted. */
    actor: integer(),
    credential_kind: text({
      enum: ['browser', 'session_token', 'api_key', 'oauth', 'service'],
    }).notNull(),
    /** The name of the API key or app when the entry was created. */
    credential_name: text(),
    ip: text(),
    /** A short description of the browser or program. */
    user_agent: text(),
    member: integer(),
    subject_id: text(),
    subject_name: text(),
    details: text().notNull().default('{}'),
    /** The id of the row in `account_acts` that this entry was copied from. */
    source: text(),
    occurred_at: integer().notNull(),
  },
  (table) => [
    index('audit_entries_by_time').on(table.ws, table.occurred_at),
    index('audit_entries_by_type').on(table.ws, table.type, table.occurred_at),
    index('audit_entries_by_actor').on(table.ws, table.actor, table.type, table.occurred_at),
    index('audit_entries_by_actor_time').on(table.ws, table.actor, table.occurred_at),
    uniqueIndex('audit_entries_by_source').on(table.ws, table.source).where(sql`source IS NOT NULL`),
  ],
);
