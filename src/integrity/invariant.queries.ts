import { sql } from 'drizzle-orm';
import { rows, type Statement } from '../kernel/database.ts';

/** Describes a row that breaks an invariant, for an operator. */
interface Offender {
  offender: string;
}

/** Ids of projects or tasks, both ends included. */
export interface IdRange {
  readonly from: number;
  readonly to: number;
}

export const everything: IdRange = { from: -1, to: Number.MAX_SAFE_INTEGER };

/** A rule that holds in a database between any two transactions. */
export interface Invariant {
  readonly name: string;
  /** Checked range by range, because D1 ends a statement after 30 seconds; without it, all at once. */
  readonly over?: 'projects' | 'tasks';
  /** At most `OFFENDERS_MAX` rows that break it. */
  readonly offenders: (range: IdRange) => Statement<Offender[]>;
  /** Whether `repair` can repair it; a person has to look at the rest. */
  readonly mendedBy?: 'counters' | 'search' | 'memberships';
}

export const OFFENDERS_MAX = 20;

/** Tasks of deleted projects, of which other rows may be gone already. */
export const hidden = '(SELECT id FROM tasks WHERE ws < 0)';

/**
 * Every row of `query`, whose only column is `offender`. No part of it is user input.
 * @param query is given how to restrict a column to the range.
 */
export function offenders(
  query: string | ((within: (column: string) => string) => string),
): Invariant['offenders'] {
  return ({ from, to }) => {
    const text = typeof query === 'string' ? query : query((column) => `${column} BETWEEN ${from} AND ${to}`);
    return rows<Offender>(sql.raw(`SELECT offender FROM (${text}) LIMIT ${OFFENDERS_MAX}`));
  };
}

/**
 * Compares stored counters with the rows they count: `sums` adds up, by key, the stored values and, negative, the true
 * ones. A result other than zero is the error of that counter.
 */
export function drift(
  what: string,
  keys: readonly string[],
  columns: readonly string[],
  sums: string,
): string {
  const place = keys.map((key) => `'${key} ' || ${key}`).join(` || ', ' || `);
  const wrong = columns.map((column) => `sum(${column}) <> 0`).join(' OR ');
  const by = columns.map((column) => `iif(sum(${column}) <> 0, ' ${column} ' || sum(${column}), '')`);
  return `SELECT '${what}: ' || ${place} || ', too high by' || ${by.join(' || ')} AS offender
    FROM (${sums}) GROUP BY ${keys.join(', ')} HAVING ${wrong}`;
}
