import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

export const attachments = sqliteTable(
  'attachments',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    ws: integer().notNull(),
    task: integer(),
    project: integer(),
    /** The id of the first version of the file. Null in the first version. */
    parent: integer(),
    version: integer().notNull().default(1),
    latest: integer().notNull().default(1),
    file_name: text().notNull(),
    file_type: text().notNull(),
    file_size: integer().notNull(),
    /** The key that clients use to refer to the upload. */
    s3_key: text().notNull(),
    object_key: text().notNull(),
    /** The ETag of the object in R2. An object with a different ETag is never served. */
    etag: text().notNull(),
    uploaded_by: integer().notNull(),
    created_at: integer().notNull(),
  },
  (table) => [
    index('attachments_by_workspace').on(table.ws).where(sql`id > 0`),
    index('attachments_by_task').on(table.task).where(sql`task IS NOT NULL AND latest = 1`),
    index('attachments_by_project').on(table.project).where(sql`project IS NOT NULL`),
    uniqueIndex('attachments_by_parent').on(table.parent, table.version).where(sql`parent IS NOT NULL`),
  ],
);

export const uploads = sqliteTable(
  'uploads',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    s3_key: text().notNull(),
    ws: integer().notNull(),
    member: integer().notNull(),
    task: integer(),
    project: integer(),
    /** The session id of a chunked upload. Null for a presigned upload. */
    session: text(),
    file_name: text().notNull(),
    file_type: text().notNull(),
    file_size: integer().notNull(),
    reserved: integer().notNull(),
    confirmed: integer().notNull().default(0),
    expires_at: integer().notNull(),
  },
  (table) => [index('uploads_by_expiry').on(table.expires_at)],
);

/** Objects that a cron job deletes at `delete_at`. New copies are listed here until they are attached to something. */
export const objectsToDelete = sqliteTable(
  'objects_to_delete',
  {
    object_key: text().primaryKey(),
    delete_at: integer().notNull(),
    taken: integer().notNull().default(0),
  },
  (table) => [index('objects_to_delete_by_time').on(table.delete_at)],
);

export const workspaceStorage = sqliteTable('storage', {
  ws: integer().primaryKey(),
  used: integer().notNull().default(0),
  reserved: integer().notNull().default(0),
});
