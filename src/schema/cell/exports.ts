import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** Each row is the complete state of an export, so that any run can continue it (docs/adr/0071). */
export const exports = sqliteTable(
  'exports',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    ws: integer().notNull(),
    member: integer().notNull(),
    /** A removed export is hidden until a cron job has deleted its file. */
    status: text({ enum: ['running', 'completed', 'failed', 'removed'] }).notNull(),
    has_files: integer().$type<0 | 1>().notNull(),
    problem: text(),
    object_key: text().notNull(),
    /** The multipart upload of the archive, until it is complete. */
    upload_id: text(),
    part_bytes: integer().notNull(),
    etag: text(),
    /** The size of the archive, or of what has been written so far. */
    bytes: integer().notNull().default(0),
    /** How far along the export is, as JSON (src/exports/model/position.ts). */
    position: text().notNull(),
    /** Counts the slices, so that a run that has been overtaken can't commit. */
    version: integer().notNull().default(1),
    /** The number of runs since the last slice. Runs are counted when they start, so that crashed runs count too. */
    failures: integer().notNull().default(0),
    /** Another run can continue the export from this time. */
    leased_until: integer().notNull().default(0),
    created_at: integer().notNull(),
    finished_at: integer(),
    /** When to delete the export and its file. */
    expires_at: integer(),
    /** The member whose own data the export contains, or 0 for the whole workspace. */
    person: integer().notNull().default(0),
  },
  (table) => [
    index('exports_by_workspace').on(table.ws),
    uniqueIndex('exports_running').on(table.ws, table.person).where(sql`status = 'running'`),
    index('exports_due').on(table.leased_until).where(sql`status = 'running'`),
    index('exports_expiring').on(table.expires_at).where(sql`expires_at IS NOT NULL`),
  ],
);

/** The files in an archive, in order. */
export const exportEntries = sqliteTable(
  'export_entries',
  {
    ws: integer().notNull(),
    export: integer().notNull(),
    no: integer().notNull(),
    path: text().notNull(),
    /** A missing file isn't in the archive. A partial file was deleted while it was copied. */
    state: text({ enum: ['complete', 'partial', 'missing'] }).notNull(),
    /** The number of lines of a table. Null for other files. */
    records: integer(),
    bytes: integer().notNull(),
    packed_bytes: integer().notNull(),
    crc: integer().notNull(),
    sha256: text().notNull(),
    /** Where the file's header starts in the archive. */
    start: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.ws, table.export, table.no] })],
);

/** The parts of the archive that have been uploaded. */
export const exportParts = sqliteTable(
  'export_parts',
  {
    ws: integer().notNull(),
    export: integer().notNull(),
    no: integer().notNull(),
    etag: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.ws, table.export, table.no] })],
);
