import { type SQL, sql } from './sql.ts';

export function toIdParameter(id: number): SQL {
  return sql`${id}`;
}

export function addExcludedValues(columns: readonly string[]): SQL {
  return sql.raw(columns.map((column) => `${column} = ${column} + excluded.${column}`).join(', '));
}

/**
 * Ignores the case of ASCII letters. Text with other letters matches only as typed, in lower case, in upper case, or
 * capitalized.
 */
export function containsText(name: SQL, text: string): SQL {
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
