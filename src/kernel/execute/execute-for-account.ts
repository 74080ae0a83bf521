import type { Account } from '../access/access.ts';
import { unauthorized } from '../errors/errors.ts';
import type { Shown } from '../operation/as-shown.ts';
import type { AccountContext, AnyOperation, PublicContext } from '../operation/operation.ts';
import type { RequestScope } from '../operation/request-scope.ts';
import { StaleCaller, type Statement, WriteConflict } from '../sql/database.ts';
import { GuardedDatabase } from '../sql/guarded-database.ts';
import type { IdempotencyKey } from '../sql/idempotency-key.ts';
import { type Outcome, parseInput, run } from './run.ts';
import { runWithKey } from './run-with-key.ts';

/** A browser in which somebody is signed in. */
export interface SignedInAccount {
  readonly account: Account;
  readonly sessionHash: string;
  /** Raises unless the browser is still signed in. */
  readonly guard: Statement<void>;
}

/** Only the same person in other windows can be in the way. */
const ATTEMPTS_MAX = 5;

/**
 * Runs an operation on the account of who is signed in: parse, run, shape the output. Throws 401 if they are not any more.
 * After a lost write race the operation runs again.
 * @param key of the form that was sent, so that it counts once; null for a read.
 * @param shown what the page showed of the fields that the form changes.
 */
export async function executeForAccount(
  operation: AnyOperation,
  request: RequestScope,
  { account, sessionHash, guard }: SignedInAccount,
  input: unknown,
  key: IdempotencyKey | null,
  shown: Shown = {},
): Promise<unknown> {
  if (operation.access !== 'account') throw new Error(`${operation.name} is not about an account`);
  const parsed = parseInput(operation.input, input);
  for (let attempt = 1; ; attempt += 1) {
    const directory = new GuardedDatabase(request.directory, guard);
    const ctx: AccountContext = { request, now: request.now, account, sessionHash, shown, directory };
    try {
      const { output } = await runOnce(operation, ctx, parsed, key);
      if (!directory.guardHeld) await directory.batch([]);
      return output;
    } catch (error) {
      if (error instanceof StaleCaller) throw unauthorized('You are signed out. Sign in again.');
      if (!(error instanceof WriteConflict) || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/**
 * Runs an operation that needs nobody to be signed in.
 * @param key of the form that was sent, so that it counts once; null for a read, and where no page sent it.
 */
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
  return runOnce(operation, ctx, parseInput(operation.input, input), key, usualStatus);
}

async function runOnce(
  operation: AnyOperation,
  ctx: PublicContext,
  input: unknown,
  key: IdempotencyKey | null,
  usualStatus?: number,
): Promise<Outcome> {
  if (key === null) return run(operation, ctx, input, usualStatus);
  return runWithKey(operation, ctx, 'directory', input, key, usualStatus);
}
