import { and, eq } from 'drizzle-orm';
import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, readFirstRow, readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { type Argument, hasRow, pickColumns, prepared, query } from '../../kernel/sql/prepared.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
} from '../../kernel/sql/sql.ts';
import { attachments, uploads, workspaceStorage } from '../../schema/cell/attachments.ts';
import type { AttachmentTarget } from './attachments.queries.ts';

const excluded = aliasTable(workspaceStorage, 'excluded');
const bytes = aliasTable(workspaceStorage, 'storage');
const s = aliasTable(workspaceStorage, 's');
const u = aliasTable(uploads, 'u');

const storageColumns = selectColumns({ used: s.used, reserved: s.reserved });
/** All sizes are in bytes. */
export type StorageUsage = Row<typeof storageColumns>;

export function findStorage(caller: Caller): Statement<StorageUsage> {
  const found = readFirstRow(sql`
    SELECT ${storageColumns} FROM ${s} WHERE ${s.ws} = ${caller.workspace}`);
  return { ...found, read: (rows) => found.read(rows) ?? { used: 0, reserved: 0 } };
}

const uploadColumns = selectColumns({
  s3_key: u.s3_key,
  ws: u.ws,
  task: u.task,
  session: u.session,
  file_name: u.file_name,
  file_type: u.file_type,
  file_size: u.file_size,
  reserved: u.reserved,
  confirmed: u.confirmed,
  expires_at: u.expires_at,
});
export type UploadRow = Row<typeof uploadColumns>;

export function findUpload(caller: Caller, s3Key: string): Statement<UploadRow | null> {
  return readFirstRow(sql`
    SELECT ${uploadColumns} FROM ${u} WHERE ${u.s3_key} = ${s3Key} AND ${u.ws} = ${caller.workspace}`);
}

export function findOwnUpload(caller: Caller, s3Key: string): Statement<UploadRow | null> {
  return readFirstRow(sql`
    SELECT ${uploadColumns} FROM ${u}
    WHERE ${u.s3_key} = ${s3Key} AND ${u.ws} = ${caller.workspace} AND ${u.member} = ${caller.member}`);
}

export const newestUploadId = sql`(SELECT max(${uploads.id}) FROM ${uploads})`;

export function findUploadById(caller: Caller, id: number): Statement<UploadRow | null> {
  return readFirstRow(sql`
    SELECT ${uploadColumns} FROM ${u}
    WHERE ${u.id} = ${id} AND ${u.ws} = ${caller.workspace} AND ${u.member} = ${caller.member}`);
}

export interface UploadDraft {
  s3Key: string;
  target: AttachmentTarget;
  session: string | null;
  fileName: string;
  fileType: string;
  fileSize: number;
  expiresAt: number;
}

interface UploadValues extends Omit<UploadDraft, 'target'> {
  task: number | null;
  project: number | null;
}

const insertUpload = prepared.write((caller: Argument<Caller>, draft: Argument<UploadValues>) =>
  query.insert(uploads).values({
    s3_key: draft.s3Key,
    ws: caller.workspace,
    member: caller.member,
    task: draft.task,
    project: draft.project,
    session: draft.session,
    file_name: draft.fileName,
    file_type: draft.fileType,
    file_size: draft.fileSize,
    reserved: draft.fileSize,
    expires_at: draft.expiresAt,
  }),
);

export function reserveUpload(caller: Caller, draft: UploadDraft, bytesMax: number): Statement<void>[] {
  const { target, fileSize } = draft;
  return [
    write(sql`
      INSERT INTO ${nameInsertColumns(workspaceStorage, 'ws', 'used', 'reserved')}
      SELECT ${caller.workspace}, 0, ${fileSize} WHERE ${fileSize} <= ${bytesMax}
      ON CONFLICT (${workspaceStorage.ws}) DO UPDATE SET ${workspaceStorage.reserved} = ${bytes.reserved} + ${excluded.reserved}
      WHERE ${bytes.used} + ${bytes.reserved} + ${excluded.reserved} <= ${bytesMax}`),
    assertUnchanged(sql`changes() = 1`),
    insertUpload(caller, {
      ...draft,
      task: 'task' in target ? target.task : null,
      project: 'project' in target ? target.project : null,
    }),
  ];
}

/** Aborts the batch if the upload has ended, or if the workspace's storage no longer has room for it. */
export function consumeReservation(caller: Caller, s3Key: string, bytesMax: number): Statement<void>[] {
  return [
    write(sql`
      UPDATE ${workspaceStorage} SET ${workspaceStorage.used} = ${bytes.used} + ${u.file_size},
        ${workspaceStorage.reserved} = ${bytes.reserved} - ${u.reserved}
      FROM ${u}
      WHERE ${bytes.ws} = ${caller.workspace} AND ${u.s3_key} = ${s3Key} AND ${u.ws} = ${bytes.ws}
        AND ${u.confirmed} = 0
        AND (${u.reserved} = ${u.file_size}
          OR ${bytes.used} + ${bytes.reserved} + ${u.file_size} - ${u.reserved} <= ${bytesMax})`),
    assertUnchanged(sql`changes() = 1`),
    write(sql`DELETE FROM ${uploads} WHERE ${uploads.s3_key} = ${s3Key} AND ${uploads.session} IS NOT NULL`),
    write(sql`UPDATE ${uploads} SET ${uploads.reserved} = 0, ${uploads.confirmed} = 1
      WHERE ${uploads.s3_key} = ${s3Key}`),
  ];
}

export function addRestoredBytes(caller: Caller, size: number, bytesMax: number): Statement<void>[] {
  return [
    write(sql`
      UPDATE ${workspaceStorage} SET ${workspaceStorage.used} = ${bytes.used} + ${size}
      WHERE ${bytes.ws} = ${caller.workspace} AND ${bytes.used} + ${bytes.reserved} + ${size} <= ${bytesMax}`),
    assertUnchanged(sql`changes() = 1`),
  ];
}

export const assertUploadUnconfirmed = prepared.assertUnchanged(
  (caller: Argument<Caller>, s3Key: Argument<string>) =>
    hasRow(
      uploads,
      and(eq(uploads.ws, caller.workspace), eq(uploads.s3_key, s3Key), eq(uploads.confirmed, 0)),
    ),
);

/** Keeps the upload's row. Safe to repeat. */
export function releaseReservation(s3Key: string): Statement<void>[] {
  return [
    write(sql`
      UPDATE ${workspaceStorage} SET ${workspaceStorage.reserved} = ${bytes.reserved} - ${u.reserved} FROM ${u}
      WHERE ${u.s3_key} = ${s3Key} AND ${u.ws} = ${bytes.ws}`),
    write(sql`UPDATE ${uploads} SET ${uploads.reserved} = 0 WHERE ${uploads.s3_key} = ${s3Key}`),
  ];
}

export function endUpload(s3Key: string): Statement<void>[] {
  return [
    ...releaseReservation(s3Key),
    write(sql`DELETE FROM ${uploads} WHERE ${uploads.s3_key} = ${s3Key}`),
  ];
}

export const findAttachmentIdByKey = prepared.firstRow((s3Key: Argument<string>) =>
  query.select(pickColumns(attachments, 'id')).from(attachments).where(eq(attachments.s3_key, s3Key)),
);

export function hasExpiredUploads({ now }: { now: number }): SQL {
  return sql`EXISTS (SELECT 1 FROM ${u} WHERE ${u.expires_at} <= ${now})`;
}

export function listExpiredUploads(now: number, limit: number): Statement<UploadRow[]> {
  return readRows(sql`
    SELECT ${uploadColumns} FROM ${u} WHERE ${u.expires_at} <= ${now} ORDER BY ${u.expires_at} LIMIT ${limit}`);
}

/** Prevents an upload that always fails from blocking the queue. */
export const postponeUploadExpiry = prepared.write((s3Key: Argument<string>, until: Argument<number>) =>
  query.update(uploads).set({ expires_at: until }).where(eq(uploads.s3_key, s3Key)),
);
