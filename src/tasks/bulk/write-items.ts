import type { Context } from '../../kernel/operation/operation.ts';
import { OperationResponse } from '../../kernel/operation/operation-response.ts';
import { type Statement, selectIdsInOrder } from '../../kernel/sql/database.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { streamDescriptions } from './descriptions.ts';
import { writeAndReadDetails } from './details.ts';
import { type BulkItem, getAcceptedValues, mapItems, toBulkResult } from './items.ts';
import { serializeRejections } from './replay.ts';

/** Sends the statements in one batch, and responds with the tasks' new state. */
export async function writeItems(
  ctx: Context,
  items: readonly BulkItem<{ task: { id: number } }>[],
  writes: Statement<void>[],
) {
  await recordRejections(ctx, items, writes);
  const ids = getAcceptedValues(items).map(({ task }) => task.id);
  const details = await writeAndReadDetails(ctx, selectIdsInOrder(ids), ids.length, writes);
  const result = toBulkResult(
    mapItems(items, ({ task: { id } }) => {
      const shown = details.results.get(id);
      if (!shown) throw taskNotFoundError(id);
      return shown;
    }),
    ctx.words,
  );
  return new OperationResponse(result, { inParts: streamDescriptions(ctx.db, ctx.caller, details.long) });
}

/** Lets a retry with the same idempotency key return the same errors. */
export async function recordRejections(
  ctx: Context,
  items: readonly BulkItem<unknown>[],
  writes: readonly Statement<void>[],
) {
  const record = serializeRejections(items, ctx.words);
  if (writes.length > 0) ctx.db.setKeyEntity(record);
  else await ctx.db.claimKeyFor(record);
}
