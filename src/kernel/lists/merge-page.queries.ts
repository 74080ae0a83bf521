import { type SQL, sql } from '../sql/sql.ts';
import { limitOf, type Range } from './pagination.ts';

/*
 * A page as a k-way merge of sorted index ranges.
 *
 * A recursive query with an ORDER BY is a priority queue: SQLite takes the first row out, runs the recursive SELECT on
 * it, and puts in what comes of it. Here the queue holds the next key of every range, and the row that is taken out
 * leaves its place to the key behind it. So a page reads one row a range and about two a result, however many there are.
 *
 * What keeps it so is the plan, and the planner is left no choice, because it knows nothing of the sizes of tables (D1
 * keeps no statistics) and a wrong guess reads a whole workspace:
 * - INDEXED BY names the index that walks a range. Its columns are those that name the range, then the order, so that
 *   `ORDER BY … LIMIT 1` is one seek. The order alone would tempt the planner into walking the table by its ids until
 *   a row fits. Where the index is gone, the statement fails, and is not slow.
 * - CROSS JOIN is a join that SQLite never turns round: what stands on the left is the outer loop.
 * - AS MATERIALIZED finds ranges that tables tell once, before the first of them is walked. Constants are the cheaper
 *   source where the code knows them.
 */

/** How ranges of one kind are walked. Each is a scalar subquery over the range `m`, null where nothing is left of it. */
export interface Walk {
  /** The first key of the page. */
  first: SQL;
  /** The key behind `m.key`. */
  next: SQL;
}

export interface MergeOrder {
  /** What names a range, beside its kind. */
  columns: readonly string[];
  isDescending: boolean;
  /** Sorts after every key. */
  end: SQL;
  /** The id in a `key`. */
  id: SQL;
}

export interface MergeSources {
  /** A SELECT of `kind`, a place in `walks`, and of the columns of the order. */
  ranges: SQL;
  walks: readonly Walk[];
  /** Whether two ranges may hold the same row. It then comes twice, next to itself, and one of them goes. */
  mayRepeat?: boolean;
}

/** Selects the column `id` of one page, in order. */
export function mergePage(
  { ranges, walks, mayRepeat = false }: MergeSources,
  { columns, isDescending, end, id }: MergeOrder,
  range: Range,
): SQL {
  const names = sql.raw(columns.join(', '));
  const ofRange = sql.raw(columns.map((column) => `m.${column}`).join(', '));
  const direction = sql.raw(isDescending ? 'DESC' : 'ASC');
  const key = (which: keyof Walk) => {
    const cases = walks.map((walk, kind) => sql`WHEN ${sql.raw(String(kind))} THEN ${walk[which]}`);
    return sql`coalesce(CASE m.kind ${sql.join(cases, sql` `)} END, ${end})`;
  };
  const taken = mayRepeat ? sql`LIMIT ${2 * (range.offset + range.limit + 1)}` : limitOf(range);
  const kept = mayRepeat ? sql`GROUP BY key ORDER BY key ${direction} ${limitOf(range)}` : sql``;
  return sql`
    SELECT ${id} AS id FROM (
      WITH RECURSIVE queue (key, kind, ${names}) AS (
        SELECT ${key('first')}, m.kind, ${ofRange} FROM (${ranges}) m
        UNION ALL
        SELECT ${key('next')}, m.kind, ${ofRange} FROM queue m WHERE m.key <> ${end}
        ORDER BY 1 ${direction} ${taken})
      SELECT key FROM queue WHERE key <> ${end} ${kept})`;
}

/** D1 refuses a compound SELECT of more. */
const COMPOUND_SELECTS_MAX = 5;

/** Whether so many ranges are few enough for `pageOfFew`. */
export function areFew(ranges: readonly unknown[]): boolean {
  return ranges.length <= COMPOUND_SELECTS_MAX;
}

/**
 * The same page for a few ranges, which costs half as much: SQLite merges the parts of a compound SELECT itself, and
 * reads of each no further than the page needs, where each index already has the order.
 * @param ranges each a SELECT of `id` and of the columns of the order.
 */
export function pageOfFew(ranges: readonly SQL[], order: SQL, range: Range): SQL {
  return sql`SELECT id FROM (${sql.join(ranges, sql` UNION ALL `)} ORDER BY ${order} ${limitOf(range)})`;
}

/** A table of `column1`, reading which costs no rows. The values are our own numbers, never a caller's text. */
export function constants(values: readonly number[]): SQL {
  return sql.raw(`(VALUES ${values.map((value) => `(${Number(value)})`).join(', ')})`);
}

/** @param selects one a kind, in the order of the walks: the columns of its ranges. */
export function byKind(selects: readonly SQL[]): SQL {
  return sql.join(
    selects.map((select, kind) => sql`SELECT ${sql.raw(String(kind))} AS kind, n.* FROM (${select}) n`),
    sql` UNION ALL `,
  );
}
