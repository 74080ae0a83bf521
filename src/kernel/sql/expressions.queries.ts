import { type SQL, sql } from './sql.ts';

/** An id that is known, where a statement takes an expression for one. */
export function idOf(id: number): SQL {
  return sql`${id}`;
}

/** What an upsert of counters does with a row that is there: it adds to each. */
export function addExcluded(columns: readonly string[]): SQL {
  return sql.raw(columns.map((column) => `${column} = ${column} + excluded.${column}`).join(', '));
}

/**
 * Condition: the name holds the text, in any case. SQLite knows the cases of ASCII alone, so other letters are asked for
 * as they are, in small ones, in capitals, and as a word begins.
 */
export function holdsText(name: SQL, text: string): SQL {
  const small = text.toLowerCase();
  const spellings = new Set([
    text,
    small,
    text.toUpperCase(),
    small.charAt(0).toUpperCase() + small.slice(1),
  ]);
  const exactly = [...spellings].map((spelling) => sql`instr(${name}, ${spelling}) > 0`);
  return sql`(instr(lower(${name}), ${small}) > 0 OR ${sql.join(exactly, sql` OR `)})`;
}
