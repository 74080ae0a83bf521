import { AppError, type ErrorCode } from '../../kernel/errors/errors.ts';
import { Answer } from '../../kernel/operation/answer.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { idsInOrder } from '../../kernel/sql/database.ts';
import { say, type Words } from '../../kernel/text/wording.ts';
import { taskNotFound } from '../model/tasks.policy.ts';
import { withDescriptions } from './descriptions.ts';
import { readDetails } from './details.ts';
import { advance, going, type Item, toResult } from './items.ts';

interface Refusal {
  index: number;
  code: ErrorCode;
  message: string;
  status: number;
}

/** What the batch records of a bulk: the items it refused. The other items are in the request. */
export function recordRefusals(items: readonly Item<unknown>[], words: Words): string {
  const refusals = items.flatMap(({ index, error }): Refusal[] =>
    error ? [{ index, code: error.code, message: say(error.wording, words), status: error.status }] : [],
  );
  return JSON.stringify(refusals);
}

/**
 * Answers a bulk that was carried out with its tasks as they are now. It checks no version again and writes nothing.
 * @param record of `recordRefusals`; a number where an earlier version of the service carried out the bulk.
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
  const done = going(items);
  const { tasks, long } = await readDetails(ctx, idsInOrder(done), done.length);
  const result = toResult(
    advance(items, (id) => {
      const task = tasks.get(id);
      if (!task) throw taskNotFound(id);
      return task;
    }),
    ctx.words,
  );
  return new Answer(result, { inParts: withDescriptions(ctx.db, ctx.caller, long) });
}
