import type { CellJob } from '../../kernel/operation/jobs.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import type { BatchDatabase } from '../../kernel/sql/database.ts';
import { claimDueObjects, clearDeletedObjects, hasDueObjects } from './objects.queries.ts';

/** R2 deletes up to 1,000 objects per call. */
const OBJECTS_PER_RUN_MAX = 1_000;
const RETRY_DELAY_MS = 5 * 60_000;

export const deleteDueObjects: CellJob = {
  name: 'objects.delete',
  cost: 3,
  isDue: hasDueObjects,
  async run(scope, no) {
    const cell = scope.cell(no);
    const [due] = await cell.batch([
      claimDueObjects(scope.now, scope.now + RETRY_DELAY_MS, OBJECTS_PER_RUN_MAX),
    ]);
    if (due.length === 0) return false;
    try {
      await deleteObjects(
        scope,
        cell,
        due.map((row) => row.object_key),
      );
    } catch (error) {
      log('error', 'objects.not_deleted', { cell: no, objects: due.length, cause: describeError(error) });
    }
    return due.length === OBJECTS_PER_RUN_MAX;
  },
};

export async function deleteObjects(
  { env }: Pick<RequestScope, 'env'>,
  cell: BatchDatabase,
  objectKeys: readonly string[],
): Promise<void> {
  await env.FILES.delete([...objectKeys]);
  await cell.batch([clearDeletedObjects(objectKeys)]);
}
