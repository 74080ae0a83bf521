import * as z from 'zod';
import { invalidRequestError } from '../errors/errors.ts';
import { OperationResponse } from '../operation/operation-response.ts';
import { type SQL, sql } from '../sql/sql.ts';

export const PAGE_LIMIT_DEFAULT = 25;
export const PAGE_LIMIT_MAX = 100;

export const pageInput = {
  limit: z
    .int()
    .min(1)
    .max(PAGE_LIMIT_MAX)
    .default(PAGE_LIMIT_DEFAULT)
    .meta({ description: 'Items per page.', example: 25 }),
  offset: z.int().min(0).default(0).meta({ description: 'Items to skip.', example: 0 }),
  cursor: z.string().max(1000).optional().meta({
    description:
      'The cursor in the Link header of the previous page. Prefer it to `offset`: with a cursor, later pages are as fast as the first.',
  }),
};

export interface Page {
  limit: number;
  offset: number;
}

/** The values of the sort columns. The last value is unique. */
export type SortKey = readonly (string | number)[];

/** The range starts after the key `after`, or at the first row if `after` is null, and then skips `offset` rows. */
export interface PageRange extends Page {
  after: SortKey | null;
  skipped: number;
  beyond?: SQL;
}

export function toRange(
  { limit, offset, cursor }: Page & { cursor?: string | undefined },
  keyParts: number,
): PageRange {
  if (cursor === undefined) return { limit, offset, after: null, skipped: offset };
  const [skipped, ...after] = parseCursor(cursor);
  if (!Number.isSafeInteger(skipped) || Number(skipped) < 0 || after.length !== keyParts)
    throw invalidCursorError();
  return { limit, offset: 0, after, skipped: Number(skipped) };
}

export const firstRowsLimit = z.int().min(1).max(PAGE_LIMIT_DEFAULT);

export function toFirstRange(rows: number): PageRange {
  return { limit: rows - 1, offset: 0, after: null, skipped: 0 };
}

function parseCursor(cursor: string): unknown[] & SortKey {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(parsed) && parsed.every((part) => typeof part === 'string' || Number.isFinite(part)))
      return parsed;
  } catch {
    // The text isn't a cursor that Edgework created.
  }
  throw invalidCursorError();
}

/** Also used for a cursor from another list, because a cursor is signed for its own list (`appendSeal`). */
export function invalidCursorError() {
  return invalidRequestError(
    "cursor must come from the Link header of this list's previous page, unchanged.",
    'cursor',
  );
}

export function buildLimit(range: PageRange): SQL {
  return sql`LIMIT ${countRowsToRead(range)} OFFSET ${range.offset}`;
}

/** Includes one row more than the page shows, to find out whether there is a next page. */
export function countRowsToRead({ limit, beyond }: PageRange): SQL {
  return beyond ? sql`${limit + 1} + ${beyond}` : sql`${limit + 1}`;
}

export interface SortColumn {
  column: SQL;
  isDescending?: boolean;
}

export function isAfter({ after }: Pick<PageRange, 'after'>, columns: readonly SortColumn[]): SQL {
  if (after === null) return sql`true`;
  return columns.reduceRight<SQL>((rest, { column, isDescending }, index) => {
    const value = after[index] ?? '';
    const beyond = isDescending ? sql`${column} < ${value}` : sql`${column} > ${value}`;
    if (index === columns.length - 1) return beyond;
    // SQLite uses only this first comparison to bound the index range.
    const bound = isDescending ? sql`${column} <= ${value}` : sql`${column} >= ${value}`;
    return sql`(${bound} AND (${beyond} OR (${column} = ${value} AND ${rest})))`;
  }, sql`false`);
}

const pageMeta = z
  .object({
    total: z.int().meta({ description: 'The exact number of matches.' }),
    limit: z.int(),
    offset: z.int(),
    hasMore: z.boolean().meta({ description: 'Whether more matches follow this page.' }),
  })
  .meta({ id: 'PageMeta' });

export function buildPageSchema<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item).max(PAGE_LIMIT_MAX), meta: pageMeta });
}

export function buildSinglePageSchema<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), meta: pageMeta });
}

interface PageSource<Row, Item> {
  range: PageRange;
  total: number;
  rows: readonly Row[];
  key: (row: Row) => SortKey;
  show: (row: Row) => Item;
}

export function buildPage<Row, Item>({ range, total, rows, key, show }: PageSource<Row, Item>) {
  const { limit, skipped } = range;
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  const hasMore = rows.length > limit;
  return new OperationResponse(
    { data: kept.map(show), meta: { total, limit, offset: skipped, hasMore } },
    {
      nextCursor:
        hasMore && last !== undefined ? buildCursor([skipped + kept.length, ...key(last)]) : undefined,
    },
  );
}

export function buildCursor(parts: SortKey): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

export function buildSinglePage<Item>(items: Item[]) {
  return { data: items, meta: { total: items.length, limit: items.length, offset: 0, hasMore: false } };
}
