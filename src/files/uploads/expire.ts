import { describeError, log } from '../../kernel/operation/log.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { type Allowance, countAffordableUnits } from '../../kernel/sql/budget.ts';
import type { Database } from '../../kernel/sql/database.ts';
import {
  endUpload,
  findRecordedAttachment,
  listExpiredUploads,
  postponeUpload,
  type UploadRow,
} from '../attachments/storage.queries.ts';
import { scheduleDeletion } from '../objects/objects.queries.ts';
import { getSessionStub } from './session.ts';

const MAX_UPLOADS_PER_RUN = 50;
/** Calls per upload: read its session, end it, look up and delete the object. Or postpone it. */
export const EXPIRY_COST = 8;
const RETRY_MS = 5 * 60_000;
const LATE_DELETION_MS = 24 * 60 * 60_000;

/** A session's own alarm usually comes first. Safe to run in parallel. */
export async function expireUploads(scope: RequestScope, no: number, allowance: Allowance): Promise<boolean> {
  const cell = scope.cell(no);
  const limit = countAffordableUnits({ left: allowance.left - 1 }, EXPIRY_COST, MAX_UPLOADS_PER_RUN);
  const [expired] = await cell.batch([listExpiredUploads(scope.now, limit)]);
  for (const upload of expired) {
    try {
      await expireUpload(scope, cell, upload);
    } catch (error) {
      log('error', 'upload.not_expired', { key: upload.s3_key, cause: describeError(error) });
      await cell.batch([postponeUpload(upload.s3_key, scope.now + RETRY_MS)]);
    }
  }
  return expired.length === limit;
}

async function expireUpload(scope: RequestScope, cell: Database, { s3_key: s3Key, session }: UploadRow) {
  if (session !== null) await getSessionStub(scope, session).expire();
  // End the upload first, so that a concurrent confirm finds none. Confirmed objects were copied, so the original can
  // be deleted. A running PUT may recreate it, so the cron deletes it again.
  const late = session === null ? scheduleDeletion(s3Key, scope.now + LATE_DELETION_MS) : [];
  const [recorded] = await cell.batch([findRecordedAttachment(s3Key), ...endUpload(s3Key), ...late]);
  if (session === null || !recorded) await scope.env.FILES.delete(s3Key);
}
