import type { CellJob } from '../../kernel/operation/jobs.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import type { Database } from '../../kernel/sql/database.ts';
import {
  endUpload,
  findAttachmentIdByKey,
  hasExpiredUploads,
  listExpiredUploads,
  postponeUploadExpiry,
  type UploadRow,
} from '../attachments/storage.queries.ts';
import { scheduleDeletion } from '../objects/objects.queries.ts';
import { getSessionStub } from './session.ts';

const UPLOADS_PER_RUN_MAX = 50;
/**
 * The maximum number of statements and calls per upload: ending its session, deleting its row and reservation (several
 * statements), deleting its object and, if a step fails, postponing the expiry.
 */
const EXPIRY_COST = 8;
const RETRY_DELAY_MS = 5 * 60_000;
const SECOND_DELETION_DELAY_MS = 24 * 60 * 60_000;

/** `UploadSession.alarm` has already expired most chunked uploads. */
export const expireUploads: CellJob = {
  name: 'uploads.expire',
  cost: 1 + EXPIRY_COST,
  isDue: hasExpiredUploads,
  async run(scope, no, allowance) {
    const cell = scope.cell(no);
    const limit = countAffordableUnits({ left: allowance.left - 1 }, EXPIRY_COST, UPLOADS_PER_RUN_MAX);
    const [expired] = await cell.batch([listExpiredUploads(scope.now, limit)]);
    for (const upload of expired) {
      try {
        await expireUpload(scope, cell, upload);
      } catch (error) {
        log('error', 'upload.not_expired', { key: upload.s3_key, cause: describeError(error) });
        await cell.batch([postponeUploadExpiry(upload.s3_key, scope.now + RETRY_DELAY_MS)]);
      }
    }
    return expired.length === limit;
  },
};

async function expireUpload(scope: RequestScope, cell: Database, { s3_key: s3Key, session }: UploadRow) {
  if (session !== null) await getSessionStub(scope, session).expire();
  // Ends the upload first, so that a concurrent confirmation fails. A confirmed object was copied, so the original
  // can be deleted. A PUT that is still running may recreate the original, so `deleteDueObjects` deletes it again a
  // day later.
  const late = session === null ? scheduleDeletion(s3Key, scope.now + SECOND_DELETION_DELAY_MS) : [];
  const [recorded] = await cell.batch([findAttachmentIdByKey(s3Key), ...endUpload(s3Key), ...late]);
  if (session === null || !recorded) await scope.env.FILES.delete(s3Key);
}
