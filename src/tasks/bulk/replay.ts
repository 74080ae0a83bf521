import { AppError, type ErrorCode } from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { OperationResponse } from '../../kernel/operation/operation-response.ts';
import { selectIdsInOrder } from '../../kernel/sql/database.ts';
import { formatWording, type Vocabulary } from '../../kernel/text/wording.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { streamDescriptions } from './descriptions.ts';
import { writeAndReadDetails } from './details.ts';
import { type BulkItem, getAcceptedValues, mapItems, toBulkResult } from './items.ts';

interface RejectedItem {
  index: number;
  code: ErrorCode;
  message: string;
  status: number;
}

/** Records only rejected items, because the others can be derived from the request. */
export function serializeRejections(items: readonly BulkItem<unknown>[], words: Vocabulary): string {
  const rejections = items.flatMap(({ index, error }): RejectedItem[] =>
    error
      ? [{ index, code: error.code, message: formatWording(error.wording, words), status: error.status }]
      : [],
  );
  return JSON.stringify(rejections);
}

export function toRecordedItems(ids: readonly number[], record: number | string): BulkItem<number>[] {
  const recorded: RejectedItem[] = typeof record === 'string' ? JSON.parse(record) : [];
  const rejections = new Map(recorded.map((rejection) => [rejection.index, rejection]));
  return ids.map((id, index) => {
    const rejection = rejections.get(index);
    if (!rejection) return { index, value: id };
    const { code, message, status } = rejection;
    return { index, error: new AppError(code, () => message, { status }) };
  });
}

/**
 * Returns the tasks' current state and writes nothing. `record` is a number if an older version of Edgework ran the
 * request.
 */
export async function replayBulkRequest(ctx: Context, ids: readonly number[], record: number | string) {
  const items = toRecordedItems(ids, record);
  const acceptedIds = getAcceptedValues(items);
  const { results, long } = await writeAndReadDetails(ctx, selectIdsInOrder(acceptedIds), acceptedIds.length);
  const result = toBulkResult(
    mapItems(items, (id) => {
      const shown = results.get(id);
      if (!shown) throw taskNotFoundError(id);
      return shown;
    }),
    ctx.words,
  );
  return new OperationResponse(result, { inParts: streamDescriptions(ctx.db, ctx.caller, long) });
}
