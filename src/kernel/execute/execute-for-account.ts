import type { Account } from '../access/access.ts';
import { unauthorizedError } from '../errors/errors.ts';
import type { AccountContext, AnyOperation, PublicContext } from '../operation/operation.ts';
import type { RequestScope } from '../operation/request-scope.ts';
import type { Snapshot } from '../operation/snapshot.ts';
import { StaleCallerError, type Statement, WriteConflictError } from '../sql/database.ts';
import { GuardedDatabase } from '../sql/guarded-database.ts';
import type { IdempotencyKey } from '../sql/idempotency-key.ts';
import { type Outcome, parseInput, runOperation } from './run-operation.ts';
import { runWithIdempotencyKey } from './run-with-idempotency-key.ts';

export interface SignedInAccount {
  readonly account: Account;
  readonly sessionHash: string;
  readonly guard: Statement<void>;
}

const ATTEMPTS_MAX = 5;

/** `key` is the form key, or null for reads. */
export async function executeForAccount(
  operation: AnyOperation,
  request: RequestScope,
  { account, sessionHash, guard }: SignedInAccount,
  input: unknown,
  key: IdempotencyKey | null,
  snapshot: Snapshot = {},
): Promise<unknown> {
  if (operation.access !== 'account') throw new Error(`${operation.name} is not an account operation`);
  const parsed = parseInput(operation.input, input);
  for (let attempt = 1; ; attempt += 1) {
    const directory = new GuardedDatabase(request.directory, guard);
    const ctx: AccountContext = { request, now: request.now, account, sessionHash, snapshot, directory };
    try {
      const { output } = await runWithOptionalKey(operation, ctx, parsed, key);
      if (!directory.hasRunBatch) await directory.batch([]);
      return output;
    } catch (error) {
      if (error instanceof StaleCallerError) throw unauthorizedError("You're signed out. Sign in again.");
      if (!(error instanceof WriteConflictError) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/** `key` is the form key, or null for reads and API requests. */
export function executePublic(
  operation: AnyOperation,
  request: RequestScope,
  input: unknown,
  key: IdempotencyKey | null,
  usualStatus?: number,
): Promise<Outcome> {
  const ctx: PublicContext = {
    request,
    now: request.now,
    directory: new GuardedDatabase(request.directory, null),
  };
  return runWithOptionalKey(operation, ctx, parseInput(operation.input, input), key, usualStatus);
}

async function runWithOptionalKey(
  operation: AnyOperation,
  ctx: PublicContext,
  input: unknown,
  key: IdempotencyKey | null,
  usualStatus?: number,
): Promise<Outcome> {
  if (key === null) return runOperation(operation, ctx, input, usualStatus);
  return runWithIdempotencyKey(operation, ctx, 'directory', input, key, usualStatus);
}
