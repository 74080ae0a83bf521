import type { Caller, ChangeOrigin } from '../access/access.ts';
import { requireAccess } from '../access/access.ts';
import { getReach } from '../access/capabilities.ts';
import { AppError, internalError, unauthorizedError } from '../errors/errors.ts';
import { preconditionFailedError } from '../operation/entity-tag.ts';
import { log } from '../operation/log.ts';
import type { AnyOperation, Context } from '../operation/operation.ts';
import type { RequestScope } from '../operation/request-scope.ts';
import type { Snapshot } from '../operation/snapshot.ts';
import { type Database, StaleCallerError, type Statement, WriteConflictError } from '../sql/database.ts';
import { GuardedDatabase } from '../sql/guarded-database.ts';
import type { IdempotencyKey } from '../sql/idempotency-key.ts';
import { defaultWords, type Vocabulary } from '../text/wording.ts';
import { executePublic } from './execute-for-account.ts';
import { type Outcome, parseInput, runOperation } from './run-operation.ts';
import { runWithIdempotencyKey } from './run-with-idempotency-key.ts';

export interface Authenticator {
  /**
   * May return a cached caller, because `guard` aborts the batch if the caller is stale. Throws `unauthorized` if the
   * credential is invalid.
   */
  resolve(): Promise<Caller>;
  forget(): void;
  guard(caller: Caller): Statement<void>;
}

export interface RateLimiter {
  enter(caller: Caller): void;
  pass(): Promise<void>;
  headers(): Promise<Record<string, string>>;
}

export interface Invocation {
  readonly request: RequestScope;
  readonly authenticator: Authenticator;
  readonly via?: ChangeOrigin;
  readonly words?: Vocabulary;
  /** Reads the raw input. Called after authentication, so that 401 takes precedence over 400. */
  readonly input: () => Promise<unknown> | unknown;
  readonly snapshot?: Snapshot;
  readonly incoming?: Request;
  readonly cell: (caller: Caller) => Database;
  readonly rateLimiter?: RateLimiter;
  readonly idempotencyKey?: (caller: Caller) => IdempotencyKey | null;
  readonly prefersMinimal?: boolean;
  readonly ifMatch?: (version: number) => boolean;
  readonly usualStatus?: number;
  readonly accepted?: (caller: Caller) => void;
}

export interface ExecutedOutcome extends Outcome {
  readonly caller: Caller | null;
}

/** With up to 50 statements per attempt (80 to apply a change set), a request stays below the platform's limit of 1,000 statements. */
const ATTEMPTS_MAX = 15;
const FIRST_WAIT_MS = 8;
const WAIT_MS_MAX = 500;

/** Unless the operation is public, returns only after a batch has confirmed that the caller still has access. */
export async function execute(operation: AnyOperation, invocation: Invocation): Promise<ExecutedOutcome> {
  const { request, authenticator, rateLimiter, usualStatus } = invocation;
  const { access, capability } = operation;
  if (access === 'account')
    throw new Error(`${operation.name} is an account operation; run it with executeForAccount`);
  // Only public operations get here without a capability, so the null check only narrows the type.
  if (access === 'public' || capability === null) {
    const outcome = await executePublic(operation, request, await invocation.input(), null, usualStatus);
    return { ...outcome, caller: null };
  }
  let input: { value: unknown } | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const caller = await authenticator.resolve();
    invocation.accepted?.(caller);
    rateLimiter?.enter(caller);
    request.budget.enter(caller);
    const db = new GuardedDatabase(invocation.cell(caller), authenticator.guard(caller));
    const ctx: Context = {
      request,
      now: request.now,
      caller,
      reach: getReach(caller, capability),
      via: invocation.via ?? caller.credential.kind,
      words: invocation.words ?? defaultWords,
      prefersMinimal: invocation.prefersMinimal ?? false,
      snapshot: invocation.snapshot ?? {},
      incoming: invocation.incoming ?? null,
      db,
      recheck: () => recheckCaller(operation, authenticator, caller, db),
    };
    try {
      const settled = await captureAppError(async () => {
        requireAccess(access, caller);
        // A write waits for the rate limiter before it runs. A read changes nothing, so it runs while the rate limiter
        // responds.
        if (operation.effect === 'write') await rateLimiter?.pass();
        input ??= { value: parseInput(operation.input, await invocation.input()) };
        const { value } = input;
        const check = () => requireVersionMatch(operation, ctx, value, invocation.ifMatch);
        const idempotencyKey = invocation.idempotencyKey?.(caller) ?? null;
        if (idempotencyKey) {
          return runWithIdempotencyKey(operation, ctx, 'db', value, idempotencyKey, usualStatus, check);
        }
        await check();
        const outcome = await runOperation(operation, ctx, value, usualStatus);
        if (operation.effect === 'read') await rateLimiter?.pass();
        return outcome;
      });
      // If the operation sent no query, no batch has checked the cached caller yet.
      if (!db.hasRunBatch) await db.withoutIdempotencyKey().batch([]);
      if (settled.ok) return { ...settled.outcome, caller };
      throw settled.error;
    } catch (error) {
      if (error instanceof StaleCallerError) authenticator.forget();
      else if (!(error instanceof WriteConflictError)) throw error;
      else if (attempt < ATTEMPTS_MAX) await waitBeforeRetry(attempt);
    }
  }
  log('error', 'write.gave_up', { id: request.id, operation: operation.name, attempts: ATTEMPTS_MAX });
  throw internalError();
}

/** Exponential backoff with full jitter, so that requests don't collide again. */
async function waitBeforeRetry(attempt: number): Promise<void> {
  const upTo = Math.min(WAIT_MS_MAX, FIRST_WAIT_MS * 2 ** (attempt - 1));
  await new Promise((resolve) => setTimeout(resolve, Math.random() * upTo));
}

/**
 * Checks the caller again before work that can't be retried. Accepts a caller whose data has changed if they still have
 * access to the same workspace.
 */
async function recheckCaller(
  { access }: AnyOperation,
  authenticator: Authenticator,
  caller: Caller,
  db: GuardedDatabase,
): Promise<void> {
  try {
    await db.withoutIdempotencyKey().batch([]);
  } catch (error) {
    if (!(error instanceof StaleCallerError)) throw error;
    authenticator.forget();
    const current = await authenticator.resolve();
    requireAccess(access, current);
    if (current.member !== caller.member || current.workspace !== caller.workspace) {
      throw unauthorizedError('Your membership changed while the request was running. Send it again.');
    }
  }
}

async function requireVersionMatch(
  { precondition }: AnyOperation,
  ctx: Context,
  input: unknown,
  ifMatch: Invocation['ifMatch'],
) {
  if (!ifMatch) return;
  if (!precondition) throw preconditionFailedError();
  const { id } = input as { id: number };
  const { version, unchanged } = await precondition(ctx, id);
  if (!ifMatch(version)) throw preconditionFailedError();
  ctx.db.addAssertion(unchanged);
}

type CapturedOutcome = { ok: true; outcome: Outcome } | { ok: false; error: AppError };

/** Returns an `AppError` instead of throwing it, so that the caller can be checked first. */
async function captureAppError(work: () => Promise<Outcome>): Promise<CapturedOutcome> {
  try {
    return { ok: true, outcome: await work() };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, error };
    throw error;
  }
}
