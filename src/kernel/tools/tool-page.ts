import * as z from 'zod';
import { invalidRequestError } from '../errors/errors.ts';
import { PAGE_LIMIT_DEFAULT, pageInput } from '../lists/pagination.ts';

/**
 * The server's `instructions` explain cursors. Tools take no offset, because an offset skips items after a deletion.
 */
export const toolPageInput = {
  limit: pageInput.limit.unwrap().optional().meta({ description: undefined }),
  cursor: z.string().max(1_000).optional(),
};

export interface ToolPageInput {
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** Says what the role can't see. The MCP endpoint adds this note. */
export const partialResultNote = z.string().optional();

/** `nextCursor` is null only on the last page. */
export const toolPageFields = { total: z.int(), nextCursor: z.string().nullable() };

export function buildToolPageSchema<T extends z.ZodType>(item: T) {
  return z.strictObject({ data: z.array(item), ...toolPageFields, note: partialResultNote });
}

export interface ListedPage<T> {
  readonly data: readonly T[];
  readonly meta: { readonly total: number };
  readonly nextCursor: string | null;
}

export function trimPage<T, U>({ data, meta, nextCursor }: ListedPage<T>, trim: (item: T) => U) {
  return { data: data.map(trim), total: meta.total, nextCursor };
}

export function toSingleItemPage<T>(item: T) {
  return { data: [item], total: 1, nextCursor: null };
}

export function slicePage<T, U>(
  all: readonly T[],
  { limit = PAGE_LIMIT_DEFAULT, cursor }: ToolPageInput,
  { key, trim }: { key: (item: T) => string | number; trim: (item: T) => U },
) {
  const start = cursor === undefined ? 0 : findNextPosition(all, cursor, key);
  const shown = all.slice(start, start + limit);
  const last = shown.at(-1);
  const end = start + shown.length;
  return {
    data: shown.map(trim),
    total: all.length,
    nextCursor: end < all.length && last !== undefined ? JSON.stringify([end, key(last)]) : null,
  };
}

/** If the previous page's last item was deleted, returns that item's position, which the next item now has. */
function findNextPosition<T>(all: readonly T[], cursor: string, key: (item: T) => string | number): number {
  const [end, last] = JSON.parse(cursor) as [number, string | number];
  const index = all.findIndex((item) => key(item) === last);
  return index < 0 ? end - 1 : index + 1;
}

export function rejectOverriddenArguments(overriding: string, given: Readonly<Record<string, unknown>>) {
  const unused = Object.keys(given).filter((name) => given[name] !== undefined);
  if (unused.length === 0) return;
  const list = new Intl.ListFormat('en-GB').format(unused);
  throw invalidRequestError(`${list} can't be combined with ${overriding}. Leave out ${list}.`);
}
