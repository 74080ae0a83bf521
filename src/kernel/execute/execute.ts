import type { Caller, Via } from '../access/access.ts';
import { requireAccess } from '../access/access.ts';
import { reachOf } from '../access/capabilities.ts';
import { AppError, internalError, unauthorized } from '../errors/errors.ts';
import type { Shown } from '../operation/as-shown.ts';
import { preconditionFailed } from '../operation/conditional.ts';
import { log } from '../operation/log.ts';
import type { AnyOperation, Context } from '../operation/operation.ts';
import type { RequestScope } from '../operation/request-scope.ts';
import { type Database, StaleCaller, type Statement, WriteConflict } from '../sql/database.ts';
import { GuardedDatabase } from '../sql/guarded-database.ts';
import type { IdempotencyKey } from '../sql/idempotency-key.ts';
import { ownWords, type Words } from '../text/wording.ts';
import { executePublic } from './execute-for-account.ts';
import { type Outcome, parseInput, run } from './run.ts';
import { runWithKey } from './run-with-key.ts';

/** How a credential becomes a caller; `src/accounts/credentials/` provides it, tests and cron jobs may provide another. */
export interface Authenticator {
  /** Throws `unauthorized`. May answer from a cache, because the guard catches stale entries. */
  resolve(): Promise<Caller>;
  /** Drops the cached caller of this credential. */
  forget(): void;
  guard(caller: Caller): Statement<void>;
}

/** Counts the requests of a caller, and may refuse them. */
export interface RateLimiter {
  /** Begins to count, without waiting. */
  enter(caller: Caller): void;
  /** Throws `rate_limited` if the caller has reached the limit. */
  pass(): Promise<void>;
  /** The headers that tell the caller about the limit. */
  headers(): Promise<Record<string, string>>;
}

export interface Invocation {
  readonly request: RequestScope;
  readonly authenticator: Authenticator;
  /** Overrides how the change is labelled; by default the kind of the credential. */
  readonly via?: Via;
  /** How the face calls things; by default as the operations do. */
  readonly words?: Words;
  /** Reads the raw input. Called after the credential was accepted, so that 401 comes before 400. */
  readonly input: () => Promise<unknown> | unknown;
  /** What a page showed of the fields that the input changes. */
  readonly shown?: Shown;
  /** The request as it came, for an operation that reads the body by itself. */
  readonly incoming?: Request;
  readonly cell: (caller: Caller) => Database;
  readonly rateLimiter?: RateLimiter;
  /** Opens the memory of an idempotency key; asked after the input was read. */
  readonly idempotencyKey?: (caller: Caller) => IdempotencyKey | null;
  /** Whether `If-Match` names this version; absent without that header. */
  readonly ifMatch?: (version: number) => boolean;
  /** Status of an answer that names none. */
  readonly usualStatus?: number;
  /** Hears who calls as soon as the credential was accepted, whatever becomes of the request: for the log. */
  readonly accepted?: (caller: Caller) => void;
}

/** What a face makes an answer of. */
export interface Executed extends Outcome {
  /** Null where the operation is public. */
  readonly caller: Caller | null;
}

/** A write gives up after this many lost races; at 50 statements each it stays below the platform's 1,000. */
const ATTEMPTS_MAX = 15;
const WAIT_MS_FIRST = 8;
const WAIT_MS_MAX = 500;

/**
 * The only way into an operation: credential, scope, parse, run, shape the output.
 * After a stale cached caller or a lost write race the operation runs again. Every answer waits until a guard has passed.
 */
export async function execute(operation: AnyOperation, invocation: Invocation): Promise<Executed> {
  const { request, authenticator, rateLimiter, usualStatus } = invocation;
  const { access, capability } = operation;
  if (access === 'account') throw new Error(`${operation.name} is about an account: use executeForAccount`);
  // By their types, public operations and they alone have no capability.
  if (access === 'public' || capability === null) {
    const outcome = await executePublic(operation, request, await invocation.input(), null, usualStatus);
    return { ...outcome, caller: null };
  }
  let input: { value: unknown } | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const caller = await authenticator.resolve();
    invocation.accepted?.(caller);
    rateLimiter?.enter(caller);
    const db = new GuardedDatabase(invocation.cell(caller), authenticator.guard(caller));
    const ctx: Context = {
      request,
      now: request.now,
      caller,
      reach: reachOf(caller, capability),
      via: invocation.via ?? caller.credential.kind,
      words: invocation.words ?? ownWords,
      shown: invocation.shown ?? {},
      incoming: invocation.incoming ?? null,
      db,
      recheck: () => recheck(operation, authenticator, caller, db),
    };
    try {
      const settled = await settle(async () => {
        requireAccess(access, caller);
        // A write must wait for the counter, which may refuse it; a read may run beside it.
        if (operation.effect === 'write') await rateLimiter?.pass();
        input ??= { value: parseInput(operation.input, await invocation.input()) };
        const { value } = input;
        const check = () => requireMatch(operation, ctx, value, invocation.ifMatch);
        const idempotencyKey = invocation.idempotencyKey?.(caller) ?? null;
        if (idempotencyKey) {
          return runWithKey(operation, ctx, 'db', value, idempotencyKey, usualStatus, check);
        }
        await check();
        const outcome = await run(operation, ctx, value, usualStatus);
        if (operation.effect === 'read') await rateLimiter?.pass();
        return outcome;
      });
      // A refusal, or an answer that needed no rows, must not rest on a stale cache either.
      if (!db.guardHeld) await db.withoutIdempotencyKey().batch([]);
      if (settled.ok) return { ...settled.outcome, caller };
      throw settled.error;
    } catch (error) {
      if (error instanceof StaleCaller) authenticator.forget();
      else if (!(error instanceof WriteConflict)) throw error;
      else if (attempt < ATTEMPTS_MAX) await waitAfter(attempt);
    }
  }
  log('error', 'write.gave_up', { id: request.id, operation: operation.name, attempts: ATTEMPTS_MAX });
  throw internalError();
}

/** Waits a random time up to a limit that doubles, so that the same requests do not race again. */
async function waitAfter(attempt: number): Promise<void> {
  const upTo = Math.min(WAIT_MS_MAX, WAIT_MS_FIRST * 2 ** (attempt - 1));
  await new Promise((resolve) => setTimeout(resolve, Math.random() * upTo));
}

/** For work that cannot run again: a change of the caller does not matter as long as they still have access. */
async function recheck(
  { access }: AnyOperation,
  authenticator: Authenticator,
  caller: Caller,
  db: GuardedDatabase,
): Promise<void> {
  try {
    await db.withoutIdempotencyKey().batch([]);
  } catch (error) {
    if (!(error instanceof StaleCaller)) throw error;
    authenticator.forget();
    const current = await authenticator.resolve();
    requireAccess(access, current);
    if (current.member !== caller.member || current.workspace !== caller.workspace) {
      throw unauthorized('Your membership changed while the request was running. Send it again.');
    }
  }
}

/** Compares the version before the write, and makes the write depend on that version. */
async function requireMatch(
  { precondition }: AnyOperation,
  ctx: Context,
  input: unknown,
  ifMatch: Invocation['ifMatch'],
) {
  if (!ifMatch) return;
  if (!precondition) throw preconditionFailed();
  const { id } = input as { id: number };
  const { version, unchanged } = await precondition(ctx, id);
  if (!ifMatch(version)) throw preconditionFailed();
  ctx.db.expect(unchanged);
}

type Settled = { ok: true; outcome: Outcome } | { ok: false; error: AppError };

/** Catches a refusal until the guard has been asked; lets every other error pass. */
async function settle(work: () => Promise<Outcome>): Promise<Settled> {
  try {
    return { ok: true, outcome: await work() };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, error };
    throw error;
  }
}
