import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Deleting a comment deletes its reactions (`ON DELETE CASCADE`). */
export const reactions = sqliteTable(
  'reactions',
  {
    comment: integer().notNull(),
    reaction: text().notNull(),
    ws: integer().notNull(),
    /** A JSON list of the members who reacted, in the order of their reactions. Never empty. */
    people: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.comment, table.reaction] })],
);
