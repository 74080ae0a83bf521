import { type SQL, sql } from '../../kernel/sql/sql.ts';

/** The rows that one statement returns, unless their texts can be long. */
export const ROWS_MAX = 500;

/** A page of rows with long texts ends before their sizes add up to this, but has at least one row. */
const PAGE_BYTES_MAX = 1_000_000;

/** Partial indexes for exports have this condition, which is always true, so that no other statement uses them. */
export const isInExportIndex = (id: SQL): SQL => sql`${id} > 0`;

/** `page` selects `id` and `bytes`. Returns the first ids, in order, whose rows together are small enough. */
export function limitPageBytes(page: SQL): SQL {
  return sql`SELECT id FROM (
    SELECT k.id AS id, sum(k.bytes) OVER (ORDER BY k.id) - k.bytes AS before FROM (${page}) k)
    WHERE before < ${PAGE_BYTES_MAX}`;
}
