import { invalidRequest } from './errors.ts';
import { AlreadyDone, type Done, type Once } from './once.ts';
import type { AnyOperation, Context } from './operation.ts';
import { type Outcome, run } from './run.ts';
import { shapeAnswer } from './shape.ts';

/** Runs the operation under an idempotency key, or answers again what it answered before. */
export async function runOnce(
  operation: AnyOperation,
  ctx: Context,
  input: unknown,
  once: Once,
  usualStatus?: number,
): Promise<Outcome> {
  ctx.db.claimOnce(once, operation.repeat?.entity ?? null);
  try {
    const outcome = await run(operation, ctx, input, usualStatus);
    // What needed no rows has not looked for the key yet.
    if (!ctx.db.guardHeld) await ctx.db.batch([]);
    once.keep(outcome.status, operation.answersSecret ? null : JSON.stringify(outcome.output));
    return outcome;
  } catch (error) {
    if (!(error instanceof AlreadyDone)) throw error;
    requireSameRequest(operation, once, error.done);
    return { ...(await repeatAnswer(operation, ctx, input, error.done, usualStatus)), isReplayed: true };
  }
}

function requireSameRequest({ answersSecret }: AnyOperation, once: Once, done: Done) {
  if (done.request !== once.request) {
    throw invalidRequest(
      'This Idempotency-Key came with another request before. Use a new key for a new request; repeat the same one to get its answer.',
    );
  }
  if (answersSecret) {
    throw invalidRequest(
      'This request was carried out before, and its answer held a secret that is shown only once. Send it with a new Idempotency-Key.',
    );
  }
}

async function repeatAnswer(
  operation: AnyOperation,
  ctx: Context,
  input: unknown,
  done: Done,
  usualStatus = 200,
): Promise<Omit<Outcome, 'isReplayed'>> {
  const { repeat, output: schema } = operation;
  if (done.answer !== null) {
    const output: unknown = JSON.parse(done.answer);
    return { output, status: done.status ?? usualStatus, nextCursor: null };
  }
  // The first answer is not kept yet, or was lost: what was done is looked up.
  const reading = { ...ctx, db: ctx.db.withoutOnce() };
  if (!repeat) return run(operation, reading, input, usualStatus);
  const body = await repeat.answer(reading as never, input as never, done.entity ?? 0);
  return { output: shapeAnswer(schema, body), status: usualStatus, nextCursor: null };
}
