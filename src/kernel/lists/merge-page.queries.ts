import { type SQL, sql } from '../sql/sql.ts';
import { buildLimit, type PageRange } from './pagination.ts';

/*
 * Builds a page as a k-way merge of sorted index ranges.
 *
 * A recursive query with an ORDER BY is a priority queue: SQLite removes the first row, runs the recursive SELECT on
 * it, and adds the results. The queue contains the next key of every range, so a page reads one row per range and about
 * two per result, however long the ranges are.
 *
 * D1 keeps no statistics, so the plan is forced: INDEXED BY makes `ORDER BY … LIMIT 1` one seek, CROSS JOIN keeps the
 * left table as the outer loop, and AS MATERIALIZED reads ranges from tables once, before the merge starts.
 */

/**
 * Reads the keys of one kind of range. `first` and `next` are scalar subqueries over the range `m`, and return null at
 * its end.
 */
export interface RangeReader {
  first: SQL;
  next: SQL;
}

export interface MergeOrder {
  columns: readonly string[];
  isDescending: boolean;
  end: SQL;
  id: SQL;
}

export interface MergeSources {
  ranges: SQL;
  readers: readonly RangeReader[];
  /** The maximum number of ranges that can contain the same row. Duplicates are adjacent, so they can be dropped. */
  repeatsMax?: number;
}

export function mergePage(
  { ranges, readers, repeatsMax = 1 }: MergeSources,
  { columns, isDescending, end, id }: MergeOrder,
  range: PageRange,
): SQL {
  const names = sql.raw(columns.join(', '));
  const ofRange = sql.raw(columns.map((column) => `m.${column}`).join(', '));
  const direction = sql.raw(isDescending ? 'DESC' : 'ASC');
  const buildKey = (which: keyof RangeReader) => {
    const cases = readers.map((reader, kind) => sql`WHEN ${sql.raw(String(kind))} THEN ${reader[which]}`);
    return sql`coalesce(CASE m.kind ${sql.join(cases, sql` `)} END, ${end})`;
  };
  const taken =
    repeatsMax > 1 ? sql`LIMIT ${repeatsMax * (range.offset + range.limit + 1)}` : buildLimit(range);
  const kept = repeatsMax > 1 ? sql`GROUP BY key ORDER BY key ${direction} ${buildLimit(range)}` : sql``;
  return sql`
    SELECT ${id} AS id FROM (
      WITH RECURSIVE queue (key, kind, ${names}) AS (
        SELECT ${buildKey('first')}, m.kind, ${ofRange} FROM (${ranges}) m
        UNION ALL
        SELECT ${buildKey('next')}, m.kind, ${ofRange} FROM queue m WHERE m.key <> ${end}
        ORDER BY 1 ${direction} ${taken})
      SELECT key FROM queue WHERE key <> ${end} ${kept})`;
}

/** D1 allows this many SELECTs per UNION. */
const COMPOUND_SELECTS_MAX = 5;

export function canMergeAsUnion(ranges: readonly unknown[]): boolean {
  return ranges.length <= COMPOUND_SELECTS_MAX;
}

/**
 * Costs half as much as `mergePage` if an index provides each range in order. Each range must select `id` and the sort
 * columns.
 */
export function mergePageAsUnion(ranges: readonly SQL[], order: SQL, range: PageRange): SQL {
  return sql`SELECT id FROM (${sql.join(ranges, sql` UNION ALL `)} ORDER BY ${order} ${buildLimit(range)})`;
}

/** Builds a table with one column, `column1`. D1 doesn't count its rows as read. Never pass user input. */
export function selectConstants(values: readonly number[]): SQL {
  return sql.raw(`(VALUES ${values.map((value) => `(${Number(value)})`).join(', ')})`);
}

/** `selects` contains one query per kind of range, in the order of `MergeSources.readers`. */
export function unionByKind(selects: readonly SQL[]): SQL {
  return sql.join(
    selects.map((select, kind) => sql`SELECT ${sql.raw(String(kind))} AS kind, n.* FROM (${select}) n`),
    sql` UNION ALL `,
  );
}
