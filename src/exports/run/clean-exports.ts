import type { CellJob } from '../../kernel/operation/jobs.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import { buildPendingKey } from '../model/position.ts';
import {
  deleteEntries,
  deleteExport,
  deleteParts,
  hasExpiredExports,
  hideExport,
  listExpiredExports,
} from './clean-exports.queries.ts';

const EXPORTS_PER_RUN_MAX = 20;
const ROWS_PER_STEP = 1_000;
/** The calls that hide one export, delete its objects and some of its rows, and then the export itself. */
const EXPORT_COST = 7;

/** The row is deleted last, so that a run that dies is repeated. */
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
      await cell.batch([hideExport(each)]);
      const { object_key: key, upload_id: uploadId } = each;
      if (uploadId !== null) await abortUpload(scope.env.FILES, key, uploadId);
      await scope.env.FILES.delete([key, buildPendingKey(key, 0), buildPendingKey(key, 1)]);
      const [entries, parts] = await cell.batch([
        deleteEntries(each, ROWS_PER_STEP),
        deleteParts(each, ROWS_PER_STEP),
      ]);
      if (entries.length === ROWS_PER_STEP || parts.length === ROWS_PER_STEP) isMoreLeft = true;
      else await cell.batch([deleteExport(each)]);
    }
    return isMoreLeft;
  },
};

/** R2 removes an upload that isn't completed after a week, so a failure does no harm. */
async function abortUpload(bucket: R2Bucket, key: string, uploadId: string): Promise<void> {
  try {
    await bucket.resumeMultipartUpload(key, uploadId).abort();
  } catch (error) {
    log('info', 'export.upload_not_aborted', { key, cause: describeError(error) });
  }
}
