import * as z from 'zod';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { formatNumber } from '../../kernel/text/number-format.ts';
import { taskNotFoundError } from '../../tasks/model/tasks.policy.ts';
import { findTaskState } from '../../tasks/model/tasks.queries.ts';
import { requireUnarchived } from '../../tasks/write/edit-task.ts';
import { presignPut } from '../objects/s3.ts';
import { uploadEndedError } from './attachments.policy.ts';
import { buildFileUrl } from './attachments.present.ts';
import {
  fileName,
  fileType,
  PRESIGNED_BYTES_MAX,
  presignedSize,
  presignResult,
} from './attachments.schema.ts';
import { assertCanAddFile } from './attachments.write.ts';
import { findStorage, findUploadById, newestUploadId, reserveUpload } from './storage.queries.ts';
import { createObjectKey, getStorageBytesMax, requireStorageSpace } from './storage.ts';

const UPLOAD_URL_SECONDS = 60 * 60;
/** Extra time for a PUT that starts just before the URL expires. */
const UPLOAD_GRACE_MS = 15 * 60_000;

export const presignAttachment = defineOperation(
  {
    name: 'presignAttachment',
    summary: 'Get a URL to upload a file to a task',
    description:
      'PUT exactly `fileSize` bytes to `uploadUrl` with `fileType` as Content-Type, then confirm. The declared size counts toward the storage limit until the upload is confirmed or expires. For files above 5 GB, use the chunked upload.',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: z.strictObject({
      id: integerId,
      fileName,
      fileType,
      fileSize: presignedSize,
    }),
    output: presignResult,
    replay: {
      entity: newestUploadId,
      rebuild: async ({ caller, db, request }, _input, id) => {
        const [upload] = await db.batch([findUploadById(caller, id)]);
        if (!upload) throw uploadEndedError();
        return buildPresignResult(request, upload.s3_key, {
          fileType: upload.file_type,
          fileSize: upload.file_size,
        });
      },
    },
  },
  async (ctx, { id, ...file }) => {
    const { caller, db, request, now } = ctx;
    const [task, storage] = await db.batch([findTaskState(caller, id), findStorage(caller)]);
    if (!task) throw taskNotFoundError(id);
    requireStorageSpace(caller, storage, file.fileSize);
    requireSinglePutSize(file.fileSize);
    requireUnarchived(task);
    const s3Key = createObjectKey(caller);
    const target = { task: id };
    const result = await buildPresignResult(request, s3Key, file);
    const expiresAt = now + UPLOAD_URL_SECONDS * 1000 + UPLOAD_GRACE_MS;
    await db.batch([
      assertCanAddFile(ctx, target),
      ...reserveUpload(
        caller,
        { ...file, s3Key, target, session: null, expiresAt },
        getStorageBytesMax(caller),
      ),
    ]);
    return result;
  },
);

/** Must run after the plan check, so that the plan's limit is reported first. */
function requireSinglePutSize(bytes: number) {
  if (bytes <= PRESIGNED_BYTES_MAX) return;
  throw invalidRequestError(
    ({ call }) =>
      `fileSize must be at most ${formatNumber(PRESIGNED_BYTES_MAX)} bytes for a single PUT; got ${formatNumber(bytes)}. Send larger files in chunks: ${call('initUpload')}.`,
    'fileSize',
  );
}

async function buildPresignResult(
  scope: RequestScope,
  s3Key: string,
  file: { fileType: string; fileSize: number },
) {
  const uploadUrl = await presignPut(scope, s3Key, file, UPLOAD_URL_SECONDS);
  return { uploadUrl, s3Key, fileUrl: buildFileUrl(scope, s3Key) };
}
