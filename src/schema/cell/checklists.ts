import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export interface ChecklistLine {
  readonly id: number;
  readonly text: string;
  readonly isDone: boolean;
}

/** A task without a row has no checklist. `tasks` contains the total number of items and the number done. */
export const checklists = sqliteTable('checklists', {
  task: integer().primaryKey(),
  ws: integer().notNull(),
  /** A JSON array of `ChecklistLine`, in checklist order. */
  lines: text().notNull(),
  /** The id of the next item. Ids are unique within a task and never reused. */
  next_line: integer().notNull(),
  version: integer().notNull(),
});
