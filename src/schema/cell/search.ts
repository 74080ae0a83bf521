import { customType, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Columns of FTS5 tables have no type. */
const ngramsColumn = customType<{ data: string }>({ dataType: () => '' });

/** N-grams of names and descriptions. `rowid` is `((ws * 2) << 32) | task id`. */
export const taskSearch = sqliteTable('task_search', { grams: ngramsColumn() });

/** N-grams of comments. `rowid` is `(ws << 32) | comment id`. */
export const commentSearch = sqliteTable('comment_search', { grams: ngramsColumn() });

/** Tasks whose text isn't indexed yet (docs/adr/0011). */
export const unindexedTasks = sqliteTable('search_waiting', {
  task: integer().primaryKey(),
  ws: integer().notNull(),
});

/** N-grams of checklists, tags and text fields. `rowid` is `((ws * 2) << 32) | task id`. */
export const detailSearch = sqliteTable('detail_search', { grams: ngramsColumn() });

/** The text indexed in `detailSearch`. Searches read it to confirm that a candidate contains the search text. */
export const detailTexts = sqliteTable('detail_texts', {
  task: integer().primaryKey(),
  ws: integer().notNull(),
  /** A JSON object of folded text by custom field id. The key 0 contains the checklist and the tags. */
  texts: text().notNull(),
});

/** Tasks whose entries in `detailSearch` are missing or outdated. */
export const waitingDetails = sqliteTable(
  'details_waiting',
  {
    ws: integer().notNull(),
    task: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.ws, table.task] })],
);
