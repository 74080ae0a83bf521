import * as z from 'zod';
import { invalidRequest } from '../errors/errors.ts';
import { PAGE_LIMIT_DEFAULT, pageInput } from '../lists/pagination.ts';

/** `instructions` tell what a cursor is. Tools page by cursors alone: after a write of the model itself, an offset would skip what moved up. */
export const pageOfTool = {
  limit: pageInput.limit.unwrap().optional().meta({ description: undefined }),
  cursor: z.string().max(1_000).optional(),
};

export interface PageOfTool {
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** What the role saw only a part of; the endpoint adds it. */
export const narrowing = z.string().optional();

/** Beside the `data` of a page. `nextCursor` is null only where nothing follows. */
export const pageFields = { total: z.int(), nextCursor: z.string().nullable() };

/** The output of a tool that answers a page. */
export function toolPage<T extends z.ZodType>(item: T) {
  return z.strictObject({ data: z.array(item), ...pageFields, note: narrowing });
}

/** What a list answered, with where it goes on. */
export interface Listed<T> {
  readonly data: readonly T[];
  readonly meta: { readonly total: number };
  readonly nextCursor: string | null;
}

/** The page of an operation with each item trimmed. */
export function trimPage<T, U>({ data, meta, nextCursor }: Listed<T>, trim: (item: T) => U) {
  return { data: data.map(trim), total: meta.total, nextCursor };
}

/** The page of what is found by its name alone. */
export function onePage<T>(item: T) {
  return { data: [item], total: 1, nextCursor: null };
}

/** A page of a list that its operation answers as a whole, behind the item that the page before showed last. */
export function slicePage<T, U>(
  all: readonly T[],
  { limit = PAGE_LIMIT_DEFAULT, cursor }: PageOfTool,
  { key, trim }: { key: (item: T) => string | number; trim: (item: T) => U },
) {
  const start = cursor === undefined ? 0 : placeBehind(all, cursor, key);
  const shown = all.slice(start, start + limit);
  const last = shown.at(-1);
  const end = start + shown.length;
  return {
    data: shown.map(trim),
    total: all.length,
    nextCursor: end < all.length && last !== undefined ? JSON.stringify([end, key(last)]) : null,
  };
}

/** Behind the item that was last; where it is gone, at the place where the page before ended. */
function placeBehind<T>(all: readonly T[], cursor: string, key: (item: T) => string | number): number {
  const [end, last] = JSON.parse(cursor) as [number, string | number];
  const place = all.findIndex((item) => key(item) === last);
  return place < 0 ? end : place + 1;
}

/** Refuses arguments that another one makes useless: they would be ignored, and their sender would not know. */
export function requireUnused(beside: string, given: Readonly<Record<string, unknown>>) {
  const unused = Object.keys(given).filter((name) => given[name] !== undefined);
  if (unused.length === 0) return;
  throw invalidRequest(`${unused.join(', ')} can't be combined with ${beside}. Leave one of them out.`);
}
