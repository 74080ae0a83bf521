import { Answer } from './answer.ts';
import { invalidRequest } from './errors.ts';
import {
  type IdempotencyKey,
  KeyUsedBefore,
  SecretShownBefore,
  type StoredResult,
} from './idempotency-key.ts';
import type { AnyOperation, Context } from './operation.ts';
import { type Outcome, run } from './run.ts';
import { shapeAnswer } from './shape.ts';

/** Runs the operation under an idempotency key, or repeats the answer of the first request. */
export async function runWithKey(
  operation: AnyOperation,
  ctx: Context,
  input: unknown,
  idempotencyKey: IdempotencyKey,
  usualStatus?: number,
): Promise<Outcome> {
  ctx.db.claimIdempotencyKey(idempotencyKey, operation.repeat?.entity ?? null);
  try {
    const outcome = await run(operation, ctx, input, usualStatus);
    // An operation that needed no rows has not checked the key yet.
    if (!ctx.db.guardHeld) await ctx.db.batch([]);
    idempotencyKey.keep(outcome.status, operation.answersSecret ? null : JSON.stringify(outcome.output));
    return outcome;
  } catch (error) {
    if (!(error instanceof KeyUsedBefore)) throw error;
    requireSameRequest(operation, idempotencyKey, error.stored);
    return { ...(await repeatAnswer(operation, ctx, input, error.stored, usualStatus)), isReplayed: true };
  }
}

function requireSameRequest(
  { answersSecret }: AnyOperation,
  idempotencyKey: IdempotencyKey,
  stored: StoredResult,
) {
  if (stored.request !== idempotencyKey.request) {
    throw invalidRequest(
      'This Idempotency-Key came with another request before. Use a new key for a new request; repeat the same one to get its answer.',
    );
  }
  if (answersSecret) throw new SecretShownBefore();
}

async function repeatAnswer(
  operation: AnyOperation,
  ctx: Context,
  input: unknown,
  stored: StoredResult,
  usualStatus = 200,
): Promise<Omit<Outcome, 'isReplayed'>> {
  const { repeat, output: schema } = operation;
  if (stored.answer !== null) {
    const output: unknown = JSON.parse(stored.answer);
    return { output, status: stored.status ?? usualStatus, nextCursor: null };
  }
  // The first answer is not stored yet, or was lost: read what was done.
  const reading = { ...ctx, db: ctx.db.withoutIdempotencyKey() };
  if (!repeat) return run(operation, reading, input, usualStatus);
  const returned = await repeat.answer(reading as never, input as never, stored.entity ?? 0);
  const { body, status } = returned instanceof Answer ? returned : new Answer(returned);
  return { output: shapeAnswer(schema, body), status: status ?? usualStatus, nextCursor: null };
}
