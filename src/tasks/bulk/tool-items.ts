import * as z from 'zod';
import { AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { buildToolLine, toLinePart } from '../../kernel/text/tool-text.ts';
import { formatWording } from '../../kernel/text/wording.ts';
import { summaryOutput } from '../../kernel/tools/tool.ts';
import { type TaskRow, taskRow, toTaskLine, toTaskRow } from '../operations/task-row.ts';
import type { BulkMode } from './items.ts';

export const sharedItemInputs = {
  mode: z
    .enum(['all', 'each'])
    .optional()
    .meta({ description: 'Default `all`. `each` skips invalid items.' }),
  dryRun: z.boolean().optional(),
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

interface OperationResult {
  readonly index: number;
  readonly task?: object | undefined;
  readonly changes?: { field: string; from?: unknown }[] | undefined;
  readonly error?: string | { message: string } | undefined;
}

interface SendItemsOptions<T> {
  readonly list: string;
  readonly mode: BulkMode;
  readonly dryRun: boolean;
  readonly ids?: readonly number[];
  /** The task fields to return for several items. A single item is returned with all fields. */
  readonly shownOfMany: readonly (keyof TaskRow)[];
  send: (items: T[]) => Promise<{ data: readonly OperationResult[] }>;
}

export async function sendItems<T>(
  items: readonly (T | AppError)[],
  { list, mode, dryRun, ids, shownOfMany, send }: SendItemsOptions<T>,
): Promise<ItemResults> {
  const rejected = items.flatMap((item, index) => (item instanceof AppError ? [{ index, error: item }] : []));
  if (rejected.length > 0 && mode === 'all' && !dryRun) {
    throw invalidRequestError((words) =>
      rejected
        .map(({ index, error }) => `${list}[${index}]: ${formatWording(error.wording, words)}`)
        .join('\n'),
    );
  }
  const places = items.flatMap((item, index) => (item instanceof AppError ? [] : [index]));
  const going = items.filter((item) => !(item instanceof AppError)) as T[];
  const { data } = going.length > 0 ? await send(going) : { data: [] };
  const shown = items.length > 1 ? shownOfMany : null;
  const results = [
    ...data.map((each) => toItemResult(each, places[each.index] ?? each.index, shown)),
    ...rejected.map(({ index, error }) => ({ index, error: error.message })),
  ]
    .map((each) => ('error' in each && ids ? { ...each, task: { id: ids[each.index] } } : each))
    .toSorted((one, other) => one.index - other.index);
  const failed = results.filter((each) => 'error' in each).length;
  return { results, succeeded: results.length - failed, failed, ...(dryRun && { dryRun: true as const }) };
}

function toItemResult(
  { task, changes, error }: OperationResult,
  index: number,
  shown: readonly (keyof TaskRow)[] | null,
): ItemResult {
  if (error !== undefined) return { index, error: typeof error === 'string' ? error : error.message };
  const row = task && 'priority' in task ? toTaskRow(task as Parameters<typeof toTaskRow>[0]) : task;
  return {
    index,
    ...(row && { task: shown && 'priority' in row ? pickVisibleFields(row, shown) : { ...row } }),
    ...(changes && { changes: changes.map(({ field, from }) => ({ field, from })) }),
  };
}

function pickVisibleFields(row: object, shown: readonly string[]) {
  return Object.fromEntries(Object.entries(row).filter(([name]) => shown.includes(name)));
}

interface ResultWords {
  readonly done: string;
  readonly would: string;
  /** The word before a single task that is shown with all its fields. */
  readonly now: string;
}

export function toItemLines(results: ItemResults, { done, would, now }: ResultWords): string[] {
  const { succeeded, failed, dryRun } = results;
  const rejected = results.results.flatMap(({ index, task, error }) =>
    error === undefined ? [] : [`${task ? `#${task.id}` : `Item ${index}`} rejected: ${toLinePart(error)}`],
  );
  const total = `${succeeded} of ${succeeded + failed}${failed > 0 ? `; ${failed} rejected` : ''}.`;
  if (dryRun) {
    const lines = results.results.flatMap((each) =>
      each.error === undefined ? [toPreviewLine(each, would)] : [],
    );
    const isOnly = succeeded === 1 && failed === 0;
    return [...lines, ...rejected, ...(isOnly ? [] : [`Would ${would} ${total}`])];
  }
  const tasks = results.results.flatMap(({ task, error }) => (task && error === undefined ? [task] : []));
  return [
    ...toResultLines(tasks, done, now),
    ...rejected,
    ...(tasks.length === 1 && failed === 0 ? [] : [`${done} ${total}`]),
  ];
}

function toPreviewLine({ index, task, changes }: ItemResult, would: string): string {
  if (!task) return `Would ${would} item ${index}`;
  const descriptions = changes?.map(({ field, from }) => (from === null ? field : `${field} from ${from}`));
  if (descriptions?.length === 0) return buildToolLine(`No change to #${task.id} ${task.name}`);
  return buildToolLine(`Would ${would} #${task.id} ${task.name}`, descriptions?.join(', '));
}

/** If the tasks have no names, lists only ids, on one line per assignee. The model knows which tasks it changed. */
function toResultLines(
  tasks: readonly (TaskRow | z.output<typeof summaryOutput>)[],
  done: string,
  now: string,
): string[] {
  const [first] = tasks;
  if (first && 'status' in first) return [`${now} ${toTaskLine(first as TaskRow)}`];
  const getAssignee = (task: object) => ('assignee' in task ? String(task.assignee) : undefined);
  if (first && 'name' in first)
    return tasks.map((task) => buildToolLine(`${done} #${task.id} ${task.name}`, getAssignee(task)));
  const byPerson = Map.groupBy(tasks, getAssignee);
  return [...byPerson].map(([person, own]) =>
    buildToolLine(`${done} ${own.map(({ id }) => `#${id}`).join(' ')}`, person && `assigned to ${person}`),
  );
}
