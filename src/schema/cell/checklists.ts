import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export interface ChecklistLine {
  readonly id: number;
  readonly text: string;
  readonly isDone: boolean;
}

/** A task without a row has no checklist. `tasks` contains the number of lines, in total and done. */
export const checklists = sqliteTable('checklists', {
  task: integer().primaryKey(),
  ws: integer().notNull(),
  /** A JSON array of `ChecklistLine`, in the order of the checklist. */
  lines: text().notNull(),
  /** The id of the next line. Ids are unique within a task and never reused. */
  next_line: integer().notNull(),
  version: integer().notNull(),
});
