import * as z from 'zod';
import { AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { buildToolLine, toLinePart } from '../../kernel/text/tool-text.ts';
import { formatWording } from '../../kernel/text/wording.ts';
import { summaryOutput } from '../../kernel/tools/tool.ts';
import { taskRow, toTaskLine, toTaskRow } from '../operations/task-row.ts';
import type { BulkMode } from './items.ts';

export const sharedItemInputs = {
  mode: z
    .enum(['all', 'each'])
    .optional()
    .meta({ description: 'all (default): every item or none; each: valid items only.' }),
  dryRun: z.boolean().optional().meta({ description: 'true only previews the result.' }),
};

export const itemResults = z.strictObject({
  results: z.array(
    z.strictObject({
      index: z.int(),
      task: z.union([taskRow, summaryOutput]).optional(),
      changes: z.array(z.strictObject({ field: z.string(), from: z.unknown() })).optional(),
      error: z.string().optional(),
    }),
  ),
  succeeded: z.int(),
  failed: z.int(),
  dryRun: z.literal(true).optional(),
});
type ItemResults = z.output<typeof itemResults>;
type ItemResult = ItemResults['results'][number];

/** A bulk request returns a `task` for each item, and a preview returns `changes`. */
interface OperationResult {
  readonly index: number;
  readonly task?: object | undefined;
  readonly changes?: { field: string; from?: unknown }[] | undefined;
  readonly error?: string | { message: string } | undefined;
}

interface SendOptions<T> {
  readonly list: string;
  readonly mode: BulkMode;
  readonly dryRun: boolean;
  send: (items: T[]) => Promise<{ data: readonly OperationResult[] }>;
}

/** Sends the valid items, and returns the results of all items in their original order. */
export async function sendItems<T>(
  items: readonly (T | AppError)[],
  { list, mode, dryRun, send }: SendOptions<T>,
): Promise<ItemResults> {
  const refused = items.flatMap((item, index) => (item instanceof AppError ? [{ index, error: item }] : []));
  if (refused.length > 0 && mode === 'all' && !dryRun) {
    throw invalidRequestError((words) =>
      refused
        .map(({ index, error }) => `${list}[${index}]: ${formatWording(error.wording, words)}`)
        .join('\n'),
    );
  }
  const places = items.flatMap((item, index) => (item instanceof AppError ? [] : [index]));
  const going = items.filter((item) => !(item instanceof AppError)) as T[];
  const { data } = going.length > 0 ? await send(going) : { data: [] };
  const results = [
    ...data.map((each) => toItemResult(each, places[each.index] ?? each.index)),
    ...refused.map(({ index, error }) => ({ index, error: error.message })),
  ].toSorted((one, other) => one.index - other.index);
  const failed = results.filter(({ error }) => error !== undefined).length;
  return { results, succeeded: results.length - failed, failed, ...(dryRun && { dryRun: true as const }) };
}

function toItemResult({ task, changes, error }: OperationResult, index: number): ItemResult {
  if (error !== undefined) return { index, error: typeof error === 'string' ? error : error.message };
  const isWhole = task !== undefined && 'priority' in task;
  return {
    index,
    ...(task && { task: isWhole ? toTaskRow(task as Parameters<typeof toTaskRow>[0]) : { ...task } }),
    ...(changes && { changes: changes.map(({ field, from }) => ({ field, from })) }),
  };
}

/** `done` and `would` are two forms of a verb, such as `Created` and `create`. */
export function toItemLines(
  { results, succeeded, failed, dryRun }: ItemResults,
  done: string,
  would: string,
) {
  const lines = results.map(({ index, task, changes, error }) => {
    if (error !== undefined) return `Item ${index} rejected: ${toLinePart(error)}`;
    if (!dryRun) return `${done} ${toTaskLine(task as z.output<typeof taskRow>)}`;
    if (!task) return `Would ${would} item ${index}`;
    const descriptions = changes?.map(({ field, from }) => (from === null ? field : `${field} from ${from}`));
    return buildToolLine(
      `Would ${would} #${task.id} ${task.name}`,
      descriptions?.length === 0 ? 'nothing changes' : descriptions?.join(', '),
    );
  });
  if (results.length === 1 && failed === 0) return lines;
  const refused = failed > 0 ? `; ${failed} rejected` : '';
  return [...lines, `${dryRun ? `Would ${would}` : done} ${succeeded} of ${results.length}${refused}.`];
}
