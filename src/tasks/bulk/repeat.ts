import { AppError, type ErrorCode } from '../../kernel/errors/errors.ts';
import { Answer } from '../../kernel/operation/answer.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { idsInOrder } from '../../kernel/sql/database.ts';
import { say, type Words } from '../../kernel/text/wording.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { withDescriptions } from './descriptions.ts';
import { readDetails } from './details.ts';
import { advance, getAccepted, type Item, toResult } from './items.ts';

interface Refusal {
  index: number;
  code: ErrorCode;
  message: string;
  status: number;
}

/** The batch of a bulk request records the items that it rejected. The others are known from the request. */
export function recordRefusals(items: readonly Item<unknown>[], words: Words): string {
  const refusals = items.flatMap(({ index, error }): Refusal[] =>
    error ? [{ index, code: error.code, message: say(error.wording, words), status: error.status }] : [],
  );
  return JSON.stringify(refusals);
}

/**
 * Returns the current tasks of a bulk request that was completed earlier. Checks no versions and writes nothing.
 * @param record of `recordRefusals`; a number if an earlier version of the service ran the request.
 */
export async function repeatBulk(ctx: Context, ids: readonly number[], record: number | string) {
  const recorded: Refusal[] = typeof record === 'string' ? JSON.parse(record) : [];
  const refusals = new Map(recorded.map((refusal) => [refusal.index, refusal]));
  const items = ids.map((id, index): Item<number> => {
    const refusal = refusals.get(index);
    if (!refusal) return { index, value: id };
    const { code, message, status } = refusal;
    return { index, error: new AppError(code, () => message, { status }) };
  });
  const done = getAccepted(items);
  const { tasks, long } = await readDetails(ctx, idsInOrder(done), done.length);
  const result = toResult(
    advance(items, (id) => {
      const task = tasks.get(id);
      if (!task) throw taskNotFoundError(id);
      return task;
    }),
    ctx.words,
  );
  return new Answer(result, { inParts: withDescriptions(ctx.db, ctx.caller, long) });
}
