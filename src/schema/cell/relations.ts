import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

export const storedRelationTypes = ['blocks', 'relates_to', 'duplicates'] as const;
export type StoredRelationType = (typeof storedRelationTypes)[number];

/**
 * Relations between tasks of a workspace (docs/adr/0053). `tasks.open_blockers` counts the relations that currently
 * block a task.
 */
export const taskRelations = sqliteTable(
  'task_relations',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    ws: integer().notNull(),
    /**
     * The source blocks or duplicates the target. `relates_to` has no direction, so its source is the task with the
     * lower id.
     */
    type: text({ enum: storedRelationTypes }).notNull(),
    source: integer().notNull(),
    target: integer().notNull(),
  },
  (table) => [
    uniqueIndex('task_relations_by_source').on(table.ws, table.source, table.type, table.target),
    index('task_relations_by_target').on(table.ws, table.target, table.type, table.source),
  ],
);
