import { describeError, log } from '../../kernel/operation/log.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { type Allowance, unitsOf } from '../../kernel/sql/budget.ts';
import type { Database } from '../../kernel/sql/database.ts';
import {
  endUpload,
  findRecorded,
  listExpired,
  postpone,
  type UploadRow,
} from '../attachments/storage.queries.ts';
import { deleteLater } from '../objects/objects.queries.ts';
import { sessionStub } from './session.ts';

const UPLOADS_A_RUN = 50;
/** Calls per upload: read its session, end it, look up and delete the object. Or postpone it. */
export const EXPIRY_COST = 8;
const RETRY_MS = 5 * 60_000;
const LATE_MS = 24 * 60 * 60_000;

/** A session's own alarm usually comes first. Safe to run in parallel. */
export async function expireUploads(scope: RequestScope, no: number, allowance: Allowance): Promise<boolean> {
  const cell = scope.cell(no);
  const limit = unitsOf({ left: allowance.left - 1 }, EXPIRY_COST, UPLOADS_A_RUN);
  const [expired] = await cell.batch([listExpired(scope.now, limit)]);
  for (const upload of expired) {
    try {
      await expire(scope, cell, upload);
    } catch (error) {
      log('error', 'upload.not_expired', { key: upload.s3_key, cause: describeError(error) });
      await cell.batch([postpone(upload.s3_key, scope.now + RETRY_MS)]);
    }
  }
  return expired.length === limit;
}

async function expire(scope: RequestScope, cell: Database, { s3_key: s3Key, session }: UploadRow) {
  if (session !== null) await sessionStub(scope, session).expire();
  // End the upload first, so that a concurrent confirm finds none. Confirmed objects were copied, so the original can
  // be deleted. A running PUT may recreate it, so the cron deletes it again.
  const late = session === null ? deleteLater(s3Key, scope.now + LATE_MS) : [];
  const [recorded] = await cell.batch([findRecorded(s3Key), ...endUpload(s3Key), ...late]);
  if (session === null || !recorded) await scope.env.FILES.delete(s3Key);
}
