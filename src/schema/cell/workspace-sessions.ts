import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Stored in the cell. Copies of browser sessions, so that a page reads only one database (docs/adr/0041). */
export const workspaceSessions = sqliteTable(
  'workspace_sessions',
  {
    ws: integer().notNull(),
    /** The same as in the directory table `browser_sessions`. */
    id_hash: text().notNull(),
    member: integer().notNull(),
    expires_at: integer().notNull(),
    /** 1 once the directory has confirmed, after this row was inserted, that the session was open. */
    is_confirmed: integer().$type<0 | 1>().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.ws, table.id_hash] })],
);
