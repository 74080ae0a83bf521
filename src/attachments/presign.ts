import * as z from 'zod';
import { AppError, invalidRequest } from '../kernel/errors.ts';
import { type Context, operation } from '../kernel/operation.ts';
import type { Scope } from '../kernel/request-scope.ts';
import { integerId } from '../kernel/schema.ts';
import { requireUnarchived, taskNotFound } from '../tasks/tasks.policy.ts';
import { findTaskState } from '../tasks/tasks.queries.ts';
import { attachmentNotFound, uploadEnded } from './attachments.policy.ts';
import { fileUrl, toAttachment } from './attachments.present.ts';
import { findAttachmentByKey, findFirstVersion } from './attachments.queries.ts';
import {
  attachment,
  fileName,
  fileSize,
  fileType,
  PRESIGNED_BYTES_MAX,
  parentId,
  presignResult,
} from './attachments.schema.ts';
import { assertTarget, recordAttachment } from './attachments.write.ts';
import { presign } from './signed-url.ts';
import {
  findStorage,
  findUpload,
  findUploadById,
  newestUpload,
  release,
  reserve,
  type UploadRow,
} from './storage.queries.ts';
import { createObjectKey, requireStorage, storageBytesMax } from './storage.ts';

const UPLOAD_SECONDS = 60 * 60;
/** For a PUT that began just before its address expired. */
const GRACE_MS = 15 * 60_000;

export const presignAttachment = operation(
  {
    name: 'presignAttachment',
    summary: 'Get an address to upload one file of a task to, in a single PUT',
    description:
      'PUT the bytes to uploadUrl with the declared fileType as Content-Type, then confirm. The declared size counts against the storage of the plan until the upload is confirmed or expires. For files above 5 GB use the chunked upload.',
    access: 'tasks:write',
    effect: 'write',
    input: z.strictObject({
      id: integerId,
      fileName,
      fileType,
      fileSize: fileSize.max(PRESIGNED_BYTES_MAX),
    }),
    output: presignResult,
    repeat: {
      entity: newestUpload,
      answer: async ({ caller, db, request }, _input, id) => {
        const [upload] = await db.batch([findUploadById(caller, id)]);
        if (!upload) throw uploadEnded();
        return presigned(request, upload.s3_key, upload.file_type);
      },
    },
  },
  async (ctx, { id, ...file }) => {
    const { caller, db, request, now } = ctx;
    const [task, storage] = await db.batch([findTaskState(caller, id), findStorage(caller)]);
    if (!task) throw taskNotFound(id);
    requireStorage(caller, storage, file.fileSize);
    requireUnarchived(task);
    const s3Key = createObjectKey(caller);
    const target = { task: id };
    const result = await presigned(request, s3Key, file.fileType);
    const expiresAt = now + UPLOAD_SECONDS * 1000 + GRACE_MS;
    await db.batch([
      assertTarget(ctx, target),
      ...reserve(caller, { ...file, s3Key, target, session: null, expiresAt }, storageBytesMax(caller)),
    ]);
    return result;
  },
);

export const confirmAttachment = operation(
  {
    name: 'confirmAttachment',
    summary: 'Record an uploaded file as an attachment of the task',
    description: 'Repeating it answers 200 with the same attachment.',
    access: 'tasks:write',
    effect: 'write',
    input: z.strictObject({
      id: integerId,
      s3Key: z.string().min(1).max(200).meta({ description: 'As presign answered it.' }),
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
    if (!task) throw taskNotFound(id);
    if (recorded?.task === id) {
      request.answerStatus = 200;
      return toAttachment(request, recorded);
    }
    if (!upload || upload.task !== id || upload.session !== null || upload.expires_at <= ctx.now) {
      throw uploadNotFound(id, s3Key);
    }
    if (parent !== undefined && !first) throw attachmentNotFound({ task: id }, parent);
    // A confirm that failed before has given the reservation back.
    if (upload.reserved < upload.file_size) requireStorage(caller, storage, upload.file_size);
    requireUnarchived(task);
    const etag = await requireUploaded(ctx, upload);
    const draft = {
      target: { task: id },
      parent: first?.id ?? null,
      fileName: upload.file_name,
      fileType: upload.file_type,
      fileSize: upload.file_size,
      s3Key,
      etag,
    };
    const [created] = await db.writeThenRead(recordAttachment(ctx, draft), [
      findAttachmentByKey(caller, s3Key),
    ]);
    if (!created) throw new Error('an attachment that the batch recorded was not found');
    return toAttachment(request, created);
  },
);

/** The ETag of the object; where it is missing or not what was declared, its reservation ends and 400 says why. */
async function requireUploaded({ db, request }: Context, upload: UploadRow): Promise<string> {
  const { FILES } = request.env;
  const object = await FILES.head(upload.s3_key);
  if (object?.size === upload.file_size) return object.etag;
  // What follows is a refusal, which no idempotency key remembers.
  await db.withoutOnce().batch(release(upload.s3_key));
  if (!object) {
    throw invalidRequest(
      'Nothing has been uploaded under this s3Key. PUT the bytes to the uploadUrl of the presign, then confirm again.',
    );
  }
  await FILES.delete(upload.s3_key);
  throw invalidRequest(
    `The uploaded file has ${object.size} bytes, ${upload.file_size} were declared. It was deleted; PUT the declared bytes again, or presign with the right fileSize.`,
  );
}

function uploadNotFound(task: number, s3Key: string): AppError {
  return new AppError(
    'not_found',
    `No upload '${s3Key}' is under way for this task. Start one with POST /v1/tasks/${task}/attachments/presign.`,
  );
}

async function presigned(scope: Scope, s3Key: string, contentType: string) {
  const { config, origin, now } = scope;
  const { s3 } = config;
  if (!s3) {
    throw new Error(
      'Presigned uploads are not configured: set R2_ACCOUNT_ID (or R2_S3_ENDPOINT), R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY (docs/deploy.md)',
    );
  }
  const endpoint = s3.endpoint ?? `${origin}/cdn-cgi/local/r2/s3`;
  const url = `${endpoint}/${s3.bucket}/${s3Key}`;
  const request = { method: 'PUT', url, headers: { 'Content-Type': contentType } } as const;
  const uploadUrl = await presign(s3, request, now, UPLOAD_SECONDS);
  return { uploadUrl, s3Key, fileUrl: fileUrl(scope, s3Key) };
}
