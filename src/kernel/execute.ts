import type { Caller, Via } from './access.ts';
import { requireAccess } from './access.ts';
import { preconditionFailed } from './conditional.ts';
import { type Database, GuardedDatabase, StaleCaller, type Statement, WriteConflict } from './database.ts';
import { AppError, internalError, invalidRequest, unauthorized } from './errors.ts';
import { explain } from './explain.ts';
import { describeLongList } from './list-size.ts';
import { log } from './log.ts';
import { AlreadyDone, type Done, type Once } from './once.ts';
import type { AnyOperation, Context, PublicContext } from './operation.ts';
import type { Scope as RequestScope } from './request-scope.ts';
import { shapeAnswer } from './shape.ts';
import { describeUnstorable } from './storable-text.ts';

/** How a credential becomes a caller; `auth/` provides it, tests and cron jobs may provide another. */
export interface Authenticator {
  /** Throws `unauthorized`. May answer from a cache: the guard catches what is stale. */
  resolve(): Promise<Caller>;
  /** Drops what is cached of this credential. */
  forget(): void;
  guard(caller: Caller): Statement<void>;
}

/** Counts the requests of a caller, and may refuse them. */
export interface Gate {
  /** Begins to count, without waiting. */
  enter(caller: Caller): void;
  /** Throws `rate_limited` where the caller has used up what they may. */
  pass(): Promise<void>;
  /** What the answer says about it. */
  headers(): Promise<Record<string, string>>;
}

export interface Invocation {
  readonly request: RequestScope;
  readonly authenticator: Authenticator;
  /** Overrides how the change is labelled; by default the kind of the credential. */
  readonly via?: Via;
  /** Delivers the raw input. Called after the credential was accepted, so that 401 comes before 400. */
  readonly input: () => Promise<unknown> | unknown;
  readonly cell: (caller: Caller) => Database;
  readonly gate?: Gate;
  /** Opens the memory of an idempotency key; asked after the input was read. */
  readonly once?: (caller: Caller) => Once | null;
  /** Whether the answer of `precondition.read` is the version that the client means; absent without `If-Match`. */
  readonly ifMatch?: (output: unknown, caller: Caller) => Promise<boolean>;
  /** Status of a first answer, to be kept with it. */
  readonly status?: () => number;
}

/** A write that loses every race this often gives up; with 50 statements each it stays below the platform's 1,000. */
const ATTEMPTS_MAX = 15;
const WAIT_MS_FIRST = 8;
const WAIT_MS_MAX = 500;

/**
 * The only way into an operation: credential, scope, parse, run, shape the output.
 * A stale cached caller or a lost write race runs it again; nothing is answered before a guard has held.
 */
export async function execute(operation: AnyOperation, invocation: Invocation): Promise<unknown> {
  const { request, authenticator, gate } = invocation;
  if (operation.access === 'public') {
    const input = parseInput(operation, await invocation.input());
    return run(operation, { request, now: request.now }, input);
  }
  let input: { value: unknown } | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const caller = await authenticator.resolve();
    request.caller = caller;
    gate?.enter(caller);
    const db = new GuardedDatabase(invocation.cell(caller), authenticator.guard(caller));
    const ctx: Context = {
      request,
      now: request.now,
      caller,
      via: invocation.via ?? caller.credential.kind,
      db,
      recheck: () => recheck(operation, authenticator, caller, db),
    };
    try {
      const outcome = await settle(async () => {
        requireAccess(operation.access, caller);
        // A write must not happen behind a refusal; a read may run beside the counter.
        if (operation.effect === 'write') await gate?.pass();
        input ??= { value: parseInput(operation, await invocation.input()) };
        if (invocation.ifMatch) await requireMatch(operation, ctx, input.value, invocation.ifMatch);
        const once = invocation.once?.(caller) ?? null;
        if (once) return runOnce(operation, ctx, input.value, once, invocation);
        const output = await run(operation, ctx, input.value);
        if (operation.effect === 'read') await gate?.pass();
        return output;
      });
      // A refusal, or an answer that needed no rows, must not come from a stale cache either.
      if (!db.guardHeld) await db.withoutOnce().batch([]);
      if (outcome.ok) return outcome.value;
      throw outcome.error;
    } catch (error) {
      if (error instanceof StaleCaller) authenticator.forget();
      else if (!(error instanceof WriteConflict)) throw error;
      else if (attempt < ATTEMPTS_MAX) await waitAfter(attempt);
    }
  }
  log('error', 'write.gave_up', { id: request.id, operation: operation.name, attempts: ATTEMPTS_MAX });
  throw internalError();
}

/** Doubling, and anywhere in between, so that those who raced do not meet again. */
async function waitAfter(attempt: number): Promise<void> {
  const upTo = Math.min(WAIT_MS_MAX, WAIT_MS_FIRST * 2 ** (attempt - 1));
  await new Promise((resolve) => setTimeout(resolve, Math.random() * upTo));
}

/** For work that cannot run again: what changed about the caller does not matter as long as they still may. */
async function recheck(
  { access }: AnyOperation,
  authenticator: Authenticator,
  caller: Caller,
  db: GuardedDatabase,
): Promise<void> {
  try {
    await db.withoutOnce().batch([]);
  } catch (error) {
    if (!(error instanceof StaleCaller)) throw error;
    authenticator.forget();
    const current = await authenticator.resolve();
    requireAccess(access, current);
    if (current.member !== caller.member || current.workspace !== caller.workspace) {
      throw unauthorized('The membership changed while the request was under way. Send it again.');
    }
  }
}

/** Compares before the write, and lets the write hold only for what was compared. */
async function requireMatch(
  { precondition }: AnyOperation,
  ctx: Context,
  input: unknown,
  ifMatch: NonNullable<Invocation['ifMatch']>,
) {
  if (!precondition) throw preconditionFailed();
  const { id } = input as { id: number };
  // First the snapshot, then the answer: a change in between is then caught by the snapshot.
  const unchanged = await precondition.snapshot(ctx, id);
  const current = await run(precondition.read, ctx, { id });
  if (!(await ifMatch(current, ctx.caller))) throw preconditionFailed();
  ctx.db.expect(unchanged);
}

/** Runs the operation under an idempotency key, or answers again what it answered before. */
async function runOnce(
  operation: AnyOperation,
  ctx: Context,
  input: unknown,
  once: Once,
  { status = () => 200 }: Invocation,
): Promise<unknown> {
  ctx.db.claimOnce(once, operation.repeat?.entity ?? null);
  try {
    const output = await run(operation, ctx, input);
    // What needed no rows has not looked for the key yet.
    if (!ctx.db.guardHeld) await ctx.db.batch([]);
    once.keep(status(), operation.answersSecret ? null : JSON.stringify(output));
    return output;
  } catch (error) {
    if (!(error instanceof AlreadyDone)) throw error;
    return repeatAnswer(operation, ctx, input, once, error.done);
  }
}

async function repeatAnswer(operation: AnyOperation, ctx: Context, input: unknown, once: Once, done: Done) {
  if (done.request !== once.request) {
    throw invalidRequest(
      'This Idempotency-Key came with another request before. Use a new key for a new request; repeat the same one to get its answer.',
    );
  }
  if (operation.answersSecret) {
    throw invalidRequest(
      'This request was carried out before, and its answer held a secret that is shown only once. Send it with a new Idempotency-Key.',
    );
  }
  ctx.request.isReplayed = true;
  if (done.answer !== null) {
    ctx.request.replayedStatus = done.status;
    return JSON.parse(done.answer) as unknown;
  }
  // The first answer is not kept yet, or was lost: what was done is looked up.
  const reading = { ...ctx, db: ctx.db.withoutOnce() };
  const again = operation.repeat
    ? await operation.repeat.answer(reading as never, input as never, done.entity ?? 0)
    : await operation.handler(reading as never, input as never);
  return shapeAnswer(operation.output, again);
}

type Outcome = { ok: true; value: unknown } | { ok: false; error: AppError };

/** Holds a refusal back until the guard has been asked; every other error passes. */
async function settle(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, error };
    throw error;
  }
}

function parseInput(operation: AnyOperation, raw: unknown): unknown {
  const tooLong = describeLongList(raw);
  if (tooLong) throw invalidRequest(tooLong);
  const parsed = operation.input.safeParse(raw, { reportInput: true });
  if (!parsed.success) throw invalidRequest(explain(parsed.error, operation.input));
  const unstorable = describeUnstorable(parsed.data);
  if (unstorable) throw invalidRequest(unstorable);
  return parsed.data;
}

async function run(operation: AnyOperation, ctx: PublicContext, input: unknown): Promise<unknown> {
  const output = await operation.handler(ctx as never, input as never);
  // A column that the contract does not name is dropped here; one that it names and is missing is our fault.
  return shapeAnswer(operation.output, output);
}
