import type * as z from 'zod';
import { AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { parseItem } from '../../kernel/execute/run-operation.ts';
import { formatWording, type Vocabulary } from '../../kernel/text/wording.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';

export type FieldPathBuilder = (index: number, field?: string) => string;

export function createFieldPathBuilder(list: string): FieldPathBuilder {
  return (index, field) => `${list}[${index}]${field === undefined ? '' : `.${field}`}`;
}

export const getSharedUpdatePath: FieldPathBuilder = (index, field) =>
  field === undefined || field === 'id' ? `ids[${index}]` : `set.${field}`;

export type BulkMode = 'all' | 'each';

export type BulkItem<T> = { readonly index: number } & (
  | { readonly value: T; readonly error?: never }
  | { readonly error: AppError; readonly value?: never }
);

export function parseItems<I extends z.ZodObject>(
  schema: I,
  raw: readonly unknown[],
): BulkItem<z.output<I>>[] {
  return raw.map((input, index) => {
    const parsed = parseItem(schema, input);
    return parsed instanceof AppError ? { index, error: parsed } : { index, value: parsed };
  });
}

export function mapItems<T, U>(
  items: readonly BulkItem<T>[],
  step: (value: T, index: number) => U,
): BulkItem<U>[] {
  return items.map((item) => {
    if (item.error) return item;
    try {
      return { index: item.index, value: step(item.value, item.index) };
    } catch (error) {
      if (error instanceof AppError) return { index: item.index, error };
      throw error;
    }
  });
}

export function rejectDuplicates<T extends { id: number }>(items: readonly BulkItem<T>[]): BulkItem<T>[] {
  const seen = new Set<number>();
  return mapItems(items, (value) => {
    if (seen.has(value.id)) {
      throw invalidRequestError(
        ({ field }) => `${field('id')} ${value.id} appears twice; send each task once`,
      );
    }
    seen.add(value.id);
    return value;
  });
}

export function toIdItems(ids: readonly number[]): BulkItem<{ id: number }>[] {
  return rejectDuplicates(ids.map((id, index) => ({ index, value: { id } })));
}

export function requireTaskState<T extends { id: number }>(tasks: readonly T[], id: number): T {
  const task = tasks.find((each) => each.id === id);
  if (!task) throw taskNotFoundError(id);
  return task;
}

export function getAcceptedValues<T>(items: readonly BulkItem<T>[]): T[] {
  return items.flatMap((item) => (item.error ? [] : [item.value]));
}

export function requireAllAccepted(
  mode: BulkMode,
  items: readonly BulkItem<unknown>[],
  name: FieldPathBuilder,
  ids: readonly number[] = [],
) {
  const rejected = items.find((item) => item.error);
  if (mode === 'each' || !rejected?.error) return;
  const { index, error } = rejected;
  const describe = (words: Vocabulary) =>
    words.item ? listItemMessages(items, ids, words) : buildItemMessage(error, index, name, words);
  throw new AppError(error.code, describe, {
    status: error.status,
    headers: error.headers,
    field: (words) => error.getField(addItemToFieldNames(words, index, name)) ?? name(index),
  });
}

const REJECTIONS_SHOWN_MAX = 5;

/** Tasks with the same error are listed together. */
function listItemMessages(
  items: readonly BulkItem<unknown>[],
  ids: readonly number[],
  words: Vocabulary,
): string {
  const byMessage = Map.groupBy(
    items.filter((item) => item.error),
    ({ error }) => formatWording(error?.wording ?? '', words),
  );
  const lines = [...byMessage].map(([message, group]) => {
    const named = group
      .slice(0, REJECTIONS_SHOWN_MAX)
      .map(({ index }) => words.item?.(index, ids[index]) ?? '');
    const more = group.length - named.length;
    return `${[...named, ...(more > 0 ? [`${more} more`] : [])].join(', ')}: ${message}`;
  });
  const hidden = lines.length - REJECTIONS_SHOWN_MAX;
  return [...lines.slice(0, REJECTIONS_SHOWN_MAX), ...(hidden > 0 ? [`And ${hidden} more.`] : [])]
    .map((line) => (/[.!?]$/.test(line) ? line : `${line}.`))
    .join(' ');
}

/** Adds the item to each field name in the message (`tasks[3].name`). If there is none, puts the item first. */
function buildItemMessage(error: AppError, index: number, name: FieldPathBuilder, words: Vocabulary): string {
  const item = name(index);
  let namesItem = false;
  const named = addItemToFieldNames(words, index, name);
  const message = formatWording(error.wording, {
    ...named,
    field(field) {
      namesItem = true;
      return named.field(field);
    },
  });
  return namesItem || message.startsWith(item) ? message : `${item}: ${message}`;
}

function addItemToFieldNames(words: Vocabulary, index: number, name: FieldPathBuilder): Vocabulary {
  return { ...words, whole: name(index), field: (field) => name(index, words.field(field)) };
}

export function toBulkResult<T extends object>(items: readonly BulkItem<T>[], words: Vocabulary) {
  const data = items.map(({ index, value, error }) =>
    error
      ? {
          index,
          error: { code: error.code, message: formatWording(error.wording, words), status: error.status },
        }
      : { index, ...(value as T) },
  );
  const failed = data.filter((each) => 'error' in each).length;
  return { data, meta: { succeeded: data.length - failed, failed } };
}
