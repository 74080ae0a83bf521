import * as z from 'zod';
import { AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { OperationResponse } from '../../kernel/operation/operation-response.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { WriteConflictError } from '../../kernel/sql/database.ts';
import { taskNotFoundError } from '../../tasks/model/tasks.policy.ts';
import { findTaskState } from '../../tasks/model/tasks.queries.ts';
import { requireUnarchived } from '../../tasks/write/edit-task.ts';
import { cancelDeletions, scheduleDeletion } from '../objects/objects.queries.ts';
import { copyObject } from '../objects/s3.ts';
import { attachmentNotFoundError } from './attachments.policy.ts';
import { toAttachment } from './attachments.present.ts';
import { findAttachmentByKey, findFirstVersion } from './attachments.queries.ts';
import { attachment, parentId } from './attachments.schema.ts';
import { recordAttachment } from './attachments.write.ts';
import {
  assertUploadUnconfirmed,
  findStorage,
  findUpload,
  releaseReservation,
  type UploadRow,
} from './storage.queries.ts';
import { buildCopyKey, requireStorageSpace } from './storage.ts';

const COPY_LIFETIME_MS = 60 * 60_000;

export const confirmAttachment = defineOperation(
  {
    name: 'confirmAttachment',
    summary: 'Confirm an upload and create the attachment',
    description: 'Repeating the request returns 200 with the same attachment.',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: z.strictObject({
      id: integerId,
      s3Key: z
        .string()
        .min(1)
        .max(200)
        .meta({ description: 'The s3Key from the presign response.', example: 'ws_4kPq/8sJ2mQ' }),
      parentId: parentId.optional(),
    }),
    output: attachment,
  },
  async (ctx, { id, s3Key, parentId: parent }) => {
    const { caller, db, request } = ctx;
    const [task, upload, recorded, first, storage] = await db.batch([
      findTaskState(caller, id),
      findUpload(caller, s3Key),
      findAttachmentByKey(caller, s3Key),
      findFirstVersion(caller, id, parent ?? null),
      findStorage(caller),
    ]);
    if (!task) throw taskNotFoundError(id);
    if (recorded?.task === id) return new OperationResponse(toAttachment(request, recorded), { status: 200 });
    if (!upload || upload.task !== id || hasUploadEnded(upload, ctx.now))
      throw uploadNotFoundError(id, s3Key);
    if (parent !== undefined && !first) throw attachmentNotFoundError({ task: id }, parent);
    // A failed confirmation releases the reservation, so the workspace's storage may no longer have room for the file.
    if (upload.reserved < upload.file_size) requireStorageSpace(caller, storage, upload.file_size);
    requireUnarchived(task);
    const object = await copyUpload(ctx, upload);
    const draft = {
      target: { task: id },
      parent: first?.id ?? null,
      fileName: upload.file_name,
      fileType: upload.file_type,
      fileSize: upload.file_size,
      s3Key,
      ...object,
    };
    const [created] = await db.writeThenRead(
      [...cancelDeletions([object.objectKey]), ...recordAttachment(ctx, draft)],
      [findAttachmentByKey(caller, s3Key)],
    );
    if (!created) throw new Error('an attachment that the batch recorded was not found');
    // If this deletion fails, the `expireUploads` cron job deletes the object once its upload URL expires.
    request.afterResponse('upload.delete', () => request.env.FILES.delete(s3Key));
    return toAttachment(request, created);
  },
);

/**
 * Also returns true if the uploaded file has been removed, and for chunked uploads, which other operations complete.
 */
function hasUploadEnded(upload: UploadRow, now: number): boolean {
  return upload.session !== null || upload.confirmed === 1 || upload.expires_at <= now;
}

/** Copies the bytes to a key that was never signed, because the presigned URL accepts writes until it expires. */
async function copyUpload(ctx: Context, upload: UploadRow): Promise<{ objectKey: string; etag: string }> {
  const { caller, request } = ctx;
  const { FILES } = request.env;
  const { etag } = await requireUploadedObject(ctx, upload);
  const objectKey = buildCopyKey(caller, upload.s3_key, etag);
  // Doesn't use the idempotency key, because the request isn't complete until the attachment is recorded.
  await ctx.db
    .withoutIdempotencyKey()
    .batch([
      assertUploadUnconfirmed(caller, upload.s3_key),
      ...scheduleDeletion(objectKey, request.now + COPY_LIFETIME_MS),
    ]);
  if (!(await copyObject(request, { key: upload.s3_key, etag }, objectKey))) {
    throw new WriteConflictError('the upload was replaced or confirmed while it was being copied');
  }
  const copy = await FILES.head(objectKey);
  // The `deleteDueObjects` cron job may have deleted the copy because it looked abandoned.
  if (copy?.size !== upload.file_size) throw new WriteConflictError('the copied upload no longer exists');
  return { objectKey, etag: copy.etag };
}

async function requireUploadedObject({ caller, db, request }: Context, upload: UploadRow): Promise<R2Object> {
  const { FILES } = request.env;
  const object = await FILES.head(upload.s3_key);
  if (object?.size === upload.file_size) return object;
  await db
    .withoutIdempotencyKey()
    .batch([assertUploadUnconfirmed(caller, upload.s3_key), ...releaseReservation(upload.s3_key)]);
  if (!object) {
    throw invalidRequestError(
      'No file has been uploaded for this s3Key. PUT the bytes to the uploadUrl from the presign response, then confirm again.',
      's3Key',
    );
  }
  await FILES.delete(upload.s3_key);
  throw invalidRequestError(
    `The uploaded file must have the declared ${upload.file_size} bytes; got ${object.size}. The file was deleted. PUT a file of the declared size, or presign again with the right fileSize.`,
  );
}

function uploadNotFoundError(task: number, s3Key: string): AppError {
  return new AppError(
    'not_found',
    ({ call }) =>
      `No upload '${s3Key}' is pending for this task. Start one with ${call('presignAttachment', { id: task })}.`,
  );
}
