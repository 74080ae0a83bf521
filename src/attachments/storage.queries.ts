import { sql } from 'drizzle-orm';
import type { Caller } from '../kernel/access.ts';
import { assertUnchanged, firstRow, queryBuilder, rows, type Statement, write } from '../kernel/database.ts';
import type { Target } from './attachments.queries.ts';
import { uploads } from './attachments.sql.ts';

/** Bytes that count against the plan. */
export interface Storage {
  used: number;
  reserved: number;
}

export function findStorage(caller: Caller): Statement<Storage> {
  const found = firstRow<Storage>(sql`
    SELECT s.used AS used, s.reserved AS reserved FROM storage s WHERE s.ws = ${caller.workspace}`);
  return { ...found, read: (rows) => found.read(rows) ?? { used: 0, reserved: 0 } };
}

/** An upload that has not ended. */
export interface UploadRow {
  s3_key: string;
  ws: number;
  task: number | null;
  session: string | null;
  file_name: string;
  file_type: string;
  file_size: number;
  reserved: number;
  confirmed: number;
  expires_at: number;
}

const columns = sql`
  u.s3_key AS s3_key, u.ws AS ws, u.task AS task, u.session AS session, u.file_name AS file_name,
  u.file_type AS file_type, u.file_size AS file_size, u.reserved AS reserved, u.confirmed AS confirmed,
  u.expires_at AS expires_at`;

export function findUpload(caller: Caller, s3Key: string): Statement<UploadRow | null> {
  return firstRow<UploadRow>(sql`
    SELECT ${columns} FROM uploads u WHERE u.s3_key = ${s3Key} AND u.ws = ${caller.workspace}`);
}

/** The upload that the same batch inserted. */
export const newestUpload = sql`(SELECT max(id) FROM uploads)`;

export function findUploadById(caller: Caller, id: number): Statement<UploadRow | null> {
  return firstRow<UploadRow>(sql`
    SELECT ${columns} FROM uploads u
    WHERE u.id = ${id} AND u.ws = ${caller.workspace} AND u.member = ${caller.member}`);
}

export interface UploadDraft {
  s3Key: string;
  target: Target;
  session: string | null;
  fileName: string;
  fileType: string;
  fileSize: number;
  expiresAt: number;
}

/** Inserts an upload and reserves its bytes; undoes the batch if they no longer fit. */
export function reserve(caller: Caller, draft: UploadDraft, bytesMax: number): Statement<void>[] {
  const { target, fileSize } = draft;
  return [
    write(sql`
      INSERT INTO storage (ws, used, reserved)
      SELECT ${caller.workspace}, 0, ${fileSize} WHERE ${fileSize} <= ${bytesMax}
      ON CONFLICT (ws) DO UPDATE SET reserved = storage.reserved + excluded.reserved
      WHERE storage.used + storage.reserved + excluded.reserved <= ${bytesMax}`),
    assertUnchanged(sql`changes() = 1`),
    write(
      queryBuilder.insert(uploads).values({
        s3_key: draft.s3Key,
        ws: caller.workspace,
        member: caller.member,
        task: 'task' in target ? target.task : null,
        project: 'project' in target ? target.project : null,
        session: draft.session,
        file_name: draft.fileName,
        file_type: draft.fileType,
        file_size: fileSize,
        reserved: fileSize,
        expires_at: draft.expiresAt,
      }),
    ),
  ];
}

/**
 * Turns an upload into used bytes, once. Undoes the batch if the upload has ended, or if its reservation was released in
 * between and no longer fits.
 */
export function use(caller: Caller, s3Key: string, bytesMax: number): Statement<void>[] {
  return [
    write(sql`
      UPDATE storage SET used = storage.used + u.file_size, reserved = storage.reserved - u.reserved
      FROM uploads u
      WHERE storage.ws = ${caller.workspace} AND u.s3_key = ${s3Key} AND u.ws = storage.ws AND u.confirmed = 0
        AND (u.reserved = u.file_size OR storage.used + storage.reserved + u.file_size - u.reserved <= ${bytesMax})`),
    assertUnchanged(sql`changes() = 1`),
    write(sql`DELETE FROM uploads WHERE s3_key = ${s3Key} AND session IS NOT NULL`),
    write(sql`UPDATE uploads SET reserved = 0, confirmed = 1 WHERE s3_key = ${s3Key}`),
  ];
}

/** Undoes the batch if the upload has become an attachment or has ended. */
export function assertUnconfirmed(caller: Caller, s3Key: string): Statement<void> {
  return assertUnchanged(sql`EXISTS (
    SELECT 1 FROM uploads u WHERE u.s3_key = ${s3Key} AND u.ws = ${caller.workspace} AND u.confirmed = 0)`);
}

/** Releases the reserved bytes of an unconfirmed upload, once, and keeps the upload. */
export function release(s3Key: string): Statement<void>[] {
  return [
    write(sql`
      UPDATE storage SET reserved = storage.reserved - u.reserved FROM uploads u
      WHERE u.s3_key = ${s3Key} AND u.ws = storage.ws`),
    write(sql`UPDATE uploads SET reserved = 0 WHERE s3_key = ${s3Key}`),
  ];
}

/** Ends an upload: releases its bytes, once, and deletes its row. */
export function endUpload(s3Key: string): Statement<void>[] {
  return [...release(s3Key), write(sql`DELETE FROM uploads WHERE s3_key = ${s3Key}`)];
}

/** Whether an upload has become an attachment. */
export function findRecorded(s3Key: string): Statement<{ id: number } | null> {
  return firstRow<{ id: number }>(sql`SELECT a.id AS id FROM attachments a WHERE a.s3_key = ${s3Key}`);
}

/** Expired uploads, the oldest first. */
export function listExpired(now: number, limit: number): Statement<UploadRow[]> {
  return rows<UploadRow>(sql`
    SELECT ${columns} FROM uploads u WHERE u.expires_at <= ${now} ORDER BY u.expires_at LIMIT ${limit}`);
}

/** Moves an upload back in the queue: one that always fails would otherwise be first in every run. */
export function postpone(s3Key: string, until: number): Statement<void> {
  return write(sql`UPDATE uploads SET expires_at = ${until} WHERE s3_key = ${s3Key}`);
}
