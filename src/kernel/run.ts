import { Answer } from './answer.ts';
import type { AnyOperation, PublicContext } from './operation.ts';
import { shapeAnswer } from './shape.ts';

/** What came of an operation. */
export interface Outcome {
  readonly output: unknown;
  readonly status: number;
  /** Where a list goes on; null behind its last page, and for whatever is no list. */
  readonly nextCursor: string | null;
  /** The work had been done before, under the same idempotency key. */
  readonly isReplayed: boolean;
}

/** @param usualStatus of an answer that names none. */
export async function run(
  operation: AnyOperation,
  ctx: PublicContext,
  input: unknown,
  usualStatus = 200,
): Promise<Outcome> {
  const returned = await operation.handler(ctx as never, input as never);
  const { body, status, nextCursor } = returned instanceof Answer ? returned : new Answer(returned);
  // A column that the contract does not name is dropped here; one that it names and is missing is our fault.
  const output = shapeAnswer(operation.output, body);
  return { output, status: status ?? usualStatus, nextCursor, isReplayed: false };
}
