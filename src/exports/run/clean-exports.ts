import type { CellJob } from '../../kernel/operation/jobs.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { Database } from '../../kernel/sql/database.ts';
import { buildPendingKey } from '../model/position.ts';
import {
  deleteEntries,
  deleteExport,
  deleteParts,
  type ExpiredExport,
  findExpiredExport,
  hasExpiredExports,
  hideExport,
  listExpiredExports,
} from './clean-exports.queries.ts';

const EXPORTS_PER_RUN_MAX = 20;
const ROWS_PER_STEP = 1_000;
/** The calls that hide one export, delete its objects and some of its rows, and then the export itself. */
const EXPORT_COST = 7;

export const cleanExports: CellJob = {
  name: 'exports.clean',
  cost: 1 + EXPORT_COST,
  isDue: hasExpiredExports,
  async run(scope, no, allowance) {
    const cell = scope.cell(no);
    const [expired] = await cell.batch([listExpiredExports(scope.now, EXPORTS_PER_RUN_MAX)]);
    let isMoreLeft = expired.length === EXPORTS_PER_RUN_MAX;
    for (const each of expired) {
      if (allowance.left < EXPORT_COST) return true;
      if (!(await cleanExport(cell, scope.env.FILES, each))) isMoreLeft = true;
    }
    return isMoreLeft;
  },
};

/** A cron job cleans an export that a run may still be working on, and those that this can't clean. */
export function cleanExportAfterResponse({ request, caller, now }: Context, id: number): void {
  const cell = request.cellAfterResponse(caller.cell);
  if (!cell) return;
  request.afterResponse('export.clean', async () => {
    const [expired] = await cell.batch([findExpiredExport(id, caller.workspace, now)]);
    for (const each of expired) await cleanExport(cell, request.env.FILES, each);
  });
}

/** Returns whether nothing is left. The row is deleted last, so that a run that dies is repeated. */
async function cleanExport(cell: Database, bucket: R2Bucket, expired: ExpiredExport): Promise<boolean> {
  await cell.batch([hideExport(expired)]);
  const { object_key: key, upload_id: uploadId } = expired;
  if (uploadId !== null) await abortUpload(bucket, key, uploadId);
  await bucket.delete([key, buildPendingKey(key, 0), buildPendingKey(key, 1)]);
  const [entries, parts] = await cell.batch([
    deleteEntries(expired, ROWS_PER_STEP),
    deleteParts(expired, ROWS_PER_STEP),
  ]);
  if (entries.length === ROWS_PER_STEP || parts.length === ROWS_PER_STEP) return false;
  await cell.batch([deleteExport(expired)]);
  return true;
}

/** R2 removes an upload that isn't completed after a week, so a failure does no harm. */
async function abortUpload(bucket: R2Bucket, key: string, uploadId: string): Promise<void> {
  try {
    await bucket.resumeMultipartUpload(key, uploadId).abort();
  } catch (error) {
    log('info', 'export.upload_not_aborted', { key, cause: describeError(error) });
  }
}
