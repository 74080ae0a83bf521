import * as z from 'zod';
import { invalidRequest } from '../errors/errors.ts';
import { Answer } from '../operation/answer.ts';
import { type SQL, sql } from '../sql/sql.ts';

export const PAGE_LIMIT_DEFAULT = 25;
const PAGE_LIMIT_MAX = 100;

/** Spread into the input of every paginated list. */
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
      'From the Link header of the previous page. Replaces offset and is equally fast at any depth.',
  }),
};

export interface Page {
  limit: number;
  offset: number;
}

/** Values of the columns that a list is sorted by; the last of them is unique. */
export type Key = readonly (string | number)[];

/** Which part of a list to read: after `after` if the client follows a cursor, else after `offset` rows. */
export interface Range extends Page {
  after: Key | null;
  /** Matches before this page. */
  skipped: number;
  /** How many rows to read besides, as SQL. */
  beyond?: SQL;
}

/** @param keyParts how many columns the list is sorted by. */
export function rangeOf(
  { limit, offset, cursor }: Page & { cursor?: string | undefined },
  keyParts: number,
): Range {
  if (cursor === undefined) return { limit, offset, after: null, skipped: offset };
  const [skipped, ...after] = parseCursor(cursor);
  if (!Number.isSafeInteger(skipped) || Number(skipped) < 0 || after.length !== keyParts)
    throw foreignCursor();
  return { limit, offset: 0, after, skipped: Number(skipped) };
}

/** What a list takes that shows its first rows and no others. */
export const firstRows = z.int().min(1).max(PAGE_LIMIT_DEFAULT);

/** So many rows and not one more: a range reads a row beyond its limit. */
export function firstRange(rows: number): Range {
  return { limit: rows - 1, offset: 0, after: null, skipped: 0 };
}

function parseCursor(cursor: string): unknown[] & Key {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(parsed) && parsed.every((part) => typeof part === 'string' || Number.isFinite(part)))
      return parsed;
  } catch {
    // The text is not a cursor of ours.
  }
  throw foreignCursor();
}

/** Cursors are sealed (seal.ts), so a forged one, or one of another list, is refused before this. */
export function foreignCursor() {
  return invalidRequest("cursor must come from the Link header of this list's previous page, unchanged.");
}

/** LIMIT and OFFSET with one extra row, which shows whether there is a next page. */
export function limitOf(range: Range): SQL {
  return sql`LIMIT ${rowsRead(range)} OFFSET ${range.offset}`;
}

/** How many rows to ask for: the page, and one that shows whether another page follows. */
export function rowsRead({ limit, beyond }: Range): SQL {
  return beyond ? sql`${limit + 1} + ${beyond}` : sql`${limit + 1}`;
}

export interface SortColumn {
  column: SQL;
  isDescending?: boolean;
}

/** Condition: the row comes after the cursor, in the order of these columns. */
export function isAfter({ after }: Pick<Range, 'after'>, columns: readonly SortColumn[]): SQL {
  if (after === null) return sql`true`;
  return columns.reduceRight<SQL>((rest, { column, isDescending }, index) => {
    const value = after[index] ?? '';
    const beyond = isDescending ? sql`${column} < ${value}` : sql`${column} > ${value}`;
    if (index === columns.length - 1) return beyond;
    // The first comparison alone bounds an index range; the alternative would not.
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

/** The list envelope (docs/contract.md#lists). */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item).max(PAGE_LIMIT_MAX), meta: pageMeta });
}

/** The envelope of a list that is not paginated. */
export function wholePageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), meta: pageMeta });
}

interface FoundPage<Row, Item> {
  range: Range;
  total: number;
  /** At most one row more than the limit. */
  rows: readonly Row[];
  key: (row: Row) => Key;
  show: (row: Row) => Item;
}

/** The envelope of one page, with the cursor of the next one where there is any. */
export function page<Row, Item>({ range, total, rows, key, show }: FoundPage<Row, Item>) {
  const { limit, skipped } = range;
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  const hasMore = rows.length > limit;
  return new Answer(
    { data: kept.map(show), meta: { total, limit, offset: skipped, hasMore } },
    {
      nextCursor: hasMore && last !== undefined ? toCursor([skipped + kept.length, ...key(last)]) : undefined,
    },
  );
}

function toCursor(parts: Key): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Everything in one page, for the lists that are not paginated. */
export function wholePage<Item>(items: Item[]) {
  return { data: items, meta: { total: items.length, limit: items.length, offset: 0, hasMore: false } };
}
