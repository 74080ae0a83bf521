import { customType, integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/** Columns of FTS5 tables have no type. */
const grams = customType<{ data: string }>({ dataType: () => '' });

/** Grams of names and descriptions. `rowid` is ((ws * 2) << 32) | task id. */
export const taskSearch = sqliteTable('task_search', { grams: grams() });

/** Grams of comments. `rowid` is (ws << 32) | comment id. */
export const commentSearch = sqliteTable('comment_search', { grams: grams() });

/** Tasks whose texts have not been indexed yet (docs/adr/0011). */
export const searchWaiting = sqliteTable('search_waiting', {
  task: integer().primaryKey(),
  ws: integer().notNull(),
});
