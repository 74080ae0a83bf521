import { customType, integer, sqliteTable } from 'drizzle-orm/sqlite-core';

/** FTS5 columns have no type. */
const gramsColumn = customType<{ data: string }>({ dataType: () => '' });

/** N-grams of names and descriptions. `rowid` is `((ws * 2) << 32) | task id`. */
export const taskSearch = sqliteTable('task_search', { grams: gramsColumn() });

/** N-grams of comments. `rowid` is `(ws << 32) | comment id`. */
export const commentSearch = sqliteTable('comment_search', { grams: gramsColumn() });

/** Tasks whose text isn't indexed yet (docs/adr/0011). */
export const unindexedTasks = sqliteTable('search_waiting', {
  task: integer().primaryKey(),
  ws: integer().notNull(),
});
