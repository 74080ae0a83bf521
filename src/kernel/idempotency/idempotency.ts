import type { Caller } from '../access/access.ts';
import { invalidRequestError } from '../errors/errors.ts';
import { defineCleanupJob } from '../operation/cleanup-job.ts';
import type { RequestScope } from '../operation/request-scope.ts';
import { hashSecret } from '../secrets/tokens.ts';
import type { IdempotencyKey } from '../sql/idempotency-key.ts';
import {
  claimIdempotencyKey,
  deleteExpiredIdempotencyKeys,
  findStoredResult,
  hasExpiredIdempotencyKeys,
  releaseIdempotencyKey,
  saveResponse,
} from './idempotency.queries.ts';

const KEY_RETENTION_MS = 24 * 60 * 60_000;
const KEY_CHARACTERS_MAX = 255;

/**
 * Implements draft-ietf-httpapi-idempotency-key-header. `request` contains what distinguishes requests, such as the
 * path and the input. A different request with the same key is rejected.
 */
export function createIdempotencyKey(
  scope: RequestScope,
  caller: Caller,
  key: string,
  request: string,
): IdempotencyKey {
  if (key.length < 1 || key.length > KEY_CHARACTERS_MAX) {
    throw invalidRequestError(
      `Idempotency-Key must have 1 to ${KEY_CHARACTERS_MAX} characters; got ${key.length}. A UUID works well.`,
    );
  }
  const id = hashSecret(`${caller.credential.hash} ${key}`);
  const hash = hashSecret(request);
  const since = scope.now - KEY_RETENTION_MS;
  return {
    request: hash,
    find: findStoredResult(id, since),
    release: releaseIdempotencyKey(id),
    claim: (entity) => claimIdempotencyKey(id, hash, entity, scope.now, since),
    keep(outcome) {
      const database = scope.cellAfterResponse(caller.cell);
      if (!database) return;
      scope.afterResponse('idempotency.keep', () =>
        database.batch([saveResponse(id, hash, outcome, scope.now)]),
      );
    },
  };
}

/** Runs every minute, and can delete more keys than a cell can store in a minute. */
export const cleanIdempotencyKeys = defineCleanupJob({
  name: 'idempotency.clean',
  cost: 1,
  rows: 1_000,
  slicesMax: 20,
  isDue: ({ now }) => hasExpiredIdempotencyKeys(now - KEY_RETENTION_MS),
  deleteSlice: async (cell, now, rows) =>
    (await cell.batch([deleteExpiredIdempotencyKeys(now - KEY_RETENTION_MS, rows)]))[0],
});
