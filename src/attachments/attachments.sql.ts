import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const attachments = sqliteTable('attachments', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  ws: integer('ws').notNull(),
  /** Either a task or a project. */
  task: integer('task'),
  project: integer('project'),
  /** The first version; null for the first version itself. */
  parent: integer('parent'),
  version: integer('version').notNull().default(1),
  latest: integer('latest').notNull().default(1),
  file_name: text('file_name').notNull(),
  file_type: text('file_type').notNull(),
  file_size: integer('file_size').notNull(),
  /** The name that clients know it by. */
  s3_key: text('s3_key').notNull(),
  /** Key of the object with the bytes. */
  object_key: text('object_key').notNull(),
  /** ETag of the recorded object; no other version is ever served. */
  etag: text('etag').notNull(),
  /** Number of the uploader's membership. */
  uploaded_by: integer('uploaded_by').notNull(),
  created_at: integer('created_at').notNull(),
});

/** Presigned uploads and chunked sessions until they end. */
export const uploads = sqliteTable('uploads', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  s3_key: text('s3_key').notNull(),
  ws: integer('ws').notNull(),
  member: integer('member').notNull(),
  task: integer('task'),
  project: integer('project'),
  /** Id of the chunked session; null for a presigned upload. */
  session: text('session'),
  file_name: text('file_name').notNull(),
  file_type: text('file_type').notNull(),
  file_size: integer('file_size').notNull(),
  /** Bytes that it reserves of the plan. */
  reserved: integer('reserved').notNull(),
  confirmed: integer('confirmed').notNull().default(0),
  expires_at: integer('expires_at').notNull(),
});

/** Objects that a cron deletes, and copies until they are recorded. */
export const objectsToDelete = sqliteTable('objects_to_delete', {
  object_key: text('object_key').primaryKey(),
  delete_at: integer('delete_at').notNull(),
  taken: integer('taken').notNull().default(0),
});

/** Bytes of a workspace that count against its plan. */
export const storage = sqliteTable('storage', {
  ws: integer('ws').primaryKey(),
  used: integer('used').notNull().default(0),
  reserved: integer('reserved').notNull().default(0),
});

export const sweeps = sqliteTable('sweeps', {
  name: text('name').primaryKey(),
  position: text('position').notNull(),
});
