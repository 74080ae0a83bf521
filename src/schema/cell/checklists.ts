import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export interface ChecklistItem {
  readonly id: number;
  readonly text: string;
  readonly isDone: boolean;
}

/** A task without a checklist has no row. The `tasks` table counts the items and the completed items. */
export const checklists = sqliteTable('checklists', {
  task: integer().primaryKey(),
  ws: integer().notNull(),
  /** A JSON array of `ChecklistItem`, in order. */
  lines: text().notNull(),
  /** The id of the next item. Ids are unique within a task and never reused. */
  next_line: integer().notNull(),
  version: integer().notNull(),
});
