import type { Account } from './access.ts';
import { GuardedDatabase, StaleCaller, type Statement } from './database.ts';
import { unauthorized } from './errors.ts';
import type { AccountContext, AnyOperation } from './operation.ts';
import { parseInput } from './parse-input.ts';
import type { RequestScope } from './request-scope.ts';
import { run } from './run.ts';

/** A browser in which somebody is signed in. */
export interface SignedInAccount {
  readonly account: Account;
  readonly sessionHash: string;
  /** Raises unless the browser is still signed in. */
  readonly guard: Statement<void>;
}

/** Runs an operation on the account of who is signed in: parse, run, shape the output. Throws 401 if they are not any more. */
export async function executeForAccount(
  operation: AnyOperation,
  request: RequestScope,
  { account, sessionHash, guard }: SignedInAccount,
  input: unknown,
): Promise<unknown> {
  if (operation.access !== 'account') throw new Error(`${operation.name} is not about an account`);
  const directory = new GuardedDatabase(request.directory, guard);
  const ctx: AccountContext = { request, now: request.now, account, sessionHash, directory };
  try {
    const { output } = await run(operation, ctx, parseInput(operation.input, input));
    if (!directory.guardHeld) await directory.batch([]);
    return output;
  } catch (error) {
    if (!(error instanceof StaleCaller)) throw error;
    throw unauthorized('You are signed out. Sign in again.');
  }
}
