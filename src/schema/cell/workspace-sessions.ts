import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Copies of browser sessions, so that showing a page reads only the cell's database (docs/adr/0041). */
export const workspaceSessions = sqliteTable(
  'workspace_sessions',
  {
    ws: integer().notNull(),
    /** The same id as in the directory's `browser_sessions` table. */
    id_hash: text().notNull(),
    member: integer().notNull(),
    expires_at: integer().notNull(),
    /** 0 until the directory confirms that the session was still open after this row was inserted. */
    is_confirmed: integer().$type<0 | 1>().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.ws, table.id_hash] })],
);
