import { invalidRequestError } from '../errors/errors.ts';
import type { AnyOperation, BaseContext } from '../operation/operation.ts';
import type { GuardedDatabase } from '../sql/guarded-database.ts';
import {
  type IdempotencyKey,
  KeyUsedBeforeError,
  SecretAlreadyShownError,
  type StoredResult,
} from '../sql/idempotency-key.ts';
import { type Outcome, runOperation, toOutcome } from './run-operation.ts';

type ContextWithDatabase<K extends string> = BaseContext & { readonly [name in K]: GuardedDatabase };

/**
 * If the key was used before, returns the first response, or throws if the request differs or the response contains a
 * secret. `check` can reject a request that hasn't run yet.
 */
export async function runWithIdempotencyKey<K extends 'db' | 'directory'>(
  operation: AnyOperation,
  ctx: ContextWithDatabase<K>,
  where: K,
  input: unknown,
  idempotencyKey: IdempotencyKey,
  usualStatus?: number,
  check?: () => Promise<void>,
): Promise<Outcome> {
  const db = ctx[where];
  db.claimIdempotencyKey(idempotencyKey, operation.replay?.entity ?? null);
  try {
    await check?.();
    const outcome = await runOperation(operation, ctx, input, usualStatus);
    // If the operation sent no query, no batch has checked the key yet.
    if (!db.hasRunBatch) await db.batch([]);
    const { output, status, version, inParts } = outcome;
    const isStored = !operation.returnsSecret && inParts === undefined;
    idempotencyKey.keep({ status, version, answer: isStored ? JSON.stringify(output) : null });
    return outcome;
  } catch (error) {
    if (!(error instanceof KeyUsedBeforeError)) throw error;
    requireSameRequest(operation, idempotencyKey, error.stored);
    // The first response is stored only after it has been sent, so a quick retry may have to rebuild it.
    const reading = { ...ctx, [where]: db.withoutIdempotencyKey() };
    return {
      ...(await rebuildOutcome(operation, reading, input, error.stored, usualStatus)),
      isReplayed: true,
    };
  }
}

function requireSameRequest(
  { returnsSecret }: AnyOperation,
  idempotencyKey: IdempotencyKey,
  stored: StoredResult,
) {
  if (stored.request !== idempotencyKey.request) {
    throw invalidRequestError(
      'This Idempotency-Key was already used with a different request. Use a new key for a new request.',
    );
  }
  if (returnsSecret) throw new SecretAlreadyShownError();
}

async function rebuildOutcome(
  operation: AnyOperation,
  ctx: BaseContext,
  input: unknown,
  stored: StoredResult,
  usualStatus = 200,
): Promise<Omit<Outcome, 'isReplayed'>> {
  const { replay } = operation;
  if (stored.answer !== null) {
    const output: unknown = JSON.parse(stored.answer);
    const { version } = stored;
    return { output, status: stored.status ?? usualStatus, nextCursor: null, version, inParts: undefined };
  }
  if (!replay) return runOperation(operation, ctx, input, usualStatus);
  const returned = await replay.rebuild(ctx as never, input as never, (stored.entity ?? 0) as never);
  return { ...toOutcome(operation, input, returned, usualStatus), nextCursor: null };
}
