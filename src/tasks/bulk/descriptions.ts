import type { Caller } from '../../kernel/access/access.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { JsonStreamer } from '../../kernel/operation/operation-response.ts';
import type { BatchDatabase } from '../../kernel/sql/database.ts';
import type { GuardedDatabase } from '../../kernel/sql/guarded-database.ts';
import { splitBySize } from '../../kernel/sql/split-by-size.ts';
import { splitIntoBatches } from '../comment-contents/long-contents.ts';
import { listDescriptions, listTasksWithEqualDescription } from '../model/descriptions.queries.ts';
import { type BulkItem, getAcceptedValues, mapItems } from './items.ts';
import type { BulkEdit } from './update.ts';

type DescriptionsByTaskId = ReadonlyMap<number, string | null>;

async function readDescriptions(
  db: BatchDatabase,
  caller: Caller,
  ids: readonly number[],
): Promise<DescriptionsByTaskId> {
  const [rows] = await db.batch([listDescriptions(caller.workspace, ids)]);
  return new Map(rows.map(({ id, description }) => [id, description]));
}

/** Comparing this much text blocks the cell for about 30 ms. */
const COMPARED_BYTES_MAX = 8_000_000;

async function findUnchangedDescriptions(
  db: BatchDatabase,
  caller: Caller,
  wanted: readonly { id: number; bytes: number; description: string }[],
): Promise<ReadonlySet<number>> {
  const same = new Set<number>();
  for (const part of splitBySize(wanted, ({ bytes }) => bytes, COMPARED_BYTES_MAX)) {
    const byDescription = Map.groupBy(part, ({ description }) => description);
    const compared = [...byDescription].map(([description, tasks]) =>
      listTasksWithEqualDescription(
        caller,
        tasks.map(({ id }) => id),
        description,
      ),
    );
    for (const { id } of (await db.batch(compared)).flat()) same.add(id);
  }
  return same;
}

interface BulkResult {
  data: { task?: { id: number } }[];
  meta: object;
}

/**
 * Keeps only one batch of long descriptions in memory. `long` maps task ids to the size of the description in bytes.
 */
export function streamDescriptions(
  db: GuardedDatabase,
  caller: Caller,
  long: ReadonlyMap<number, number>,
): JsonStreamer | undefined {
  if (long.size === 0) return undefined;
  const reader = db.withoutIdempotencyKey();
  return async function* (output, convert = (text) => text) {
    const { data, meta } = output as BulkResult;
    const inOrder = data.flatMap(({ task }) => {
      const bytes = task && long.get(task.id);
      return bytes === undefined ? [] : [{ id: task?.id ?? 0, bytes }];
    });
    const batches = splitIntoBatches(inOrder);
    let read: DescriptionsByTaskId = new Map();
    let before = '{"data":[';
    for (const item of data) {
      const { task } = item;
      const isLong = task !== undefined && long.has(task.id);
      if (isLong && !read.has(task.id)) read = await readDescriptions(reader, caller, batches.shift() ?? []);
      const description = isLong ? (read.get(task.id) ?? null) : null;
      const whole = isLong
        ? { ...item, task: { ...task, description: description && convert(description) } }
        : item;
      yield before + JSON.stringify(whole);
      before = ',';
    }
    yield `],"meta":${JSON.stringify(meta)}}`;
  };
}

export async function dropUnchangedDescriptions(
  ctx: Context,
  items: readonly BulkItem<BulkEdit>[],
): Promise<BulkItem<BulkEdit>[]> {
  const encoder = new TextEncoder();
  const equallyLong = getAcceptedValues(items).flatMap(({ task, changes: { description } }) =>
    task.description === undefined &&
    typeof description === 'string' &&
    encoder.encode(description).length === task.description_bytes
      ? [{ id: task.id, bytes: task.description_bytes, description }]
      : [],
  );
  const same = await findUnchangedDescriptions(ctx.db, ctx.caller, equallyLong);
  return mapItems(items, ({ task, changes: { description, ...others } }) => ({
    task,
    changes: description === undefined || same.has(task.id) ? others : { description, ...others },
  }));
}
