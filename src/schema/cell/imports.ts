import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Imports of files. The row is the state of the import, so that any run can continue it (docs/adr/0059). */
export const imports = sqliteTable(
  'imports',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    ws: integer().notNull(),
    project: integer().notNull(),
    member: integer().notNull(),
    via: text({ enum: ['session', 'api_key', 'oauth', 'mcp', 'system'] }).notNull(),
    /** The number of the key or token that started the import. */
    credential: integer(),
    attachment: integer().notNull(),
    file_name: text().notNull(),
    object_key: text().notNull(),
    etag: text().notNull(),
    /** What the ids in the file belong to. The same id in another source is another task. */
    source: text().notNull(),
    /** How to read the file, as JSON (src/imports/model/read-plan.ts). */
    options: text().notNull(),
    /** As JSON, as in responses. Null once it has expired. */
    report: text(),
    status: text({ enum: ['ready', 'running', 'completed', 'canceled', 'failed'] }).notNull(),
    problem: text(),
    /** The number of tasks in the file, of those that earlier imports created, and of those created by this import. */
    total: integer().notNull(),
    existing: integer().notNull(),
    made: integer().notNull().default(0),
    /** The number of runs since the last slice. Counted when they begin, so that one that dies also counts. */
    failures: integer().notNull().default(0),
    version: integer().notNull().default(1),
    created_at: integer().notNull(),
    finished_at: integer(),
    /** When the last run began. */
    continued_at: integer(),
    /** When a prepared import is deleted, or a finished one loses its report. */
    expires_at: integer(),
  },
  (table) => [
    index('imports_by_workspace').on(table.ws),
    index('imports_by_project').on(table.project),
    index('imports_ready').on(table.ws).where(sql`status = 'ready'`),
    index('imports_running').on(table.status, table.ws).where(sql`status = 'running'`),
    index('imports_expiring').on(table.expires_at).where(sql`expires_at IS NOT NULL`),
  ],
);

/** The task of each id in a source. Kept after the task is deleted, so that importing a file twice changes nothing. */
export const importedTasks = sqliteTable(
  'imported_tasks',
  {
    ws: integer().notNull(),
    project: integer().notNull(),
    source: text().notNull(),
    external_id: text().notNull(),
    task: integer().notNull(),
    import: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.ws, table.project, table.source, table.external_id] })],
);
