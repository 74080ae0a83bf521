import { Answer, type InParts } from '../operation/answer.ts';
import type { AnyOperation, BaseContext } from '../operation/operation.ts';
import { shapeAnswer } from './shape.ts';

/** What came of an operation. */
export interface Outcome {
  readonly output: unknown;
  readonly status: number;
  /** Where a list goes on; null behind its last page, and for whatever is no list. */
  readonly nextCursor: string | null;
  /** Of the resource that is the output; null where it has no versions. */
  readonly version: number | null;
  /** The work had been done before, under the same idempotency key. */
  readonly isReplayed: boolean;
  /** Where the output alone is not the whole answer. */
  readonly inParts: InParts | undefined;
}

/** @param usualStatus of an answer that names none. */
export async function run(
  operation: AnyOperation,
  ctx: BaseContext,
  input: unknown,
  usualStatus = 200,
): Promise<Outcome> {
  const returned = await operation.handler(ctx as never, input as never);
  const answer = returned instanceof Answer ? returned : new Answer(returned);
  const { body, status, nextCursor, version, inParts } = answer;
  // Drops a column that the contract does not name. A missing one that it names is a bug.
  const output = shapeAnswer(operation.output, body);
  return { output, status: status ?? usualStatus, nextCursor, version, isReplayed: false, inParts };
}
