import { type SQL, sql } from './sql.ts';

/** An id that is known, where a statement takes an expression for one. */
export function idOf(id: number): SQL {
  return sql`${id}`;
}

/** What an upsert of counters does with a row that is there: it adds to each. */
export function addExcluded(columns: readonly string[]): SQL {
  return sql.raw(columns.map((column) => `${column} = ${column} + excluded.${column}`).join(', '));
}
