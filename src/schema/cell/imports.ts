import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Each row is the complete state of a file import, so that any run can continue it (docs/adr/0059). */
export const imports = sqliteTable(
  'imports',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    ws: integer().notNull(),
    project: integer().notNull(),
    member: integer().notNull(),
    via: text({ enum: ['session', 'api_key', 'oauth', 'mcp', 'system'] }).notNull(),
    credential: integer(),
    attachment: integer().notNull(),
    file_name: text().notNull(),
    object_key: text().notNull(),
    etag: text().notNull(),
    /** Where the ids in the file come from. The same id in another source means a different task. */
    source: text().notNull(),
    /** How to read the file, as JSON (src/imports/model/build-import-plan.ts). */
    options: text().notNull(),
    /** The report as the API returns it. Null once it has expired. */
    report: text(),
    status: text({ enum: ['ready', 'running', 'completed', 'canceled', 'failed'] }).notNull(),
    problem: text(),
    /** Task counts: in the file (`total`), from earlier imports (`existing`), and created by this import (`made`). */
    total: integer().notNull(),
    existing: integer().notNull(),
    made: integer().notNull().default(0),
    /**
     * The number of runs since the last imported slice. Runs are counted when they start, so that crashed runs count
     * too.
     */
    failures: integer().notNull().default(0),
    version: integer().notNull().default(1),
    created_at: integer().notNull(),
    finished_at: integer(),
    continued_at: integer(),
    /** When to delete a prepared import, or the report of a finished import. */
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

/**
 * Maps ids in a source to tasks. Rows outlive their tasks, so importing a file again doesn't recreate deleted tasks.
 */
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
