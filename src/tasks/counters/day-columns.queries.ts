import { addDays, getMonthRange } from '../../kernel/dates/civil-date.ts';
import { type SQL, sql } from '../../kernel/sql/sql.ts';

/* Counters by day have a row per month or half month, with a column per day. Reading a month takes one or two rows. */

/** A row's key, and the number of one of its columns, counted from 1. */
interface DayColumn {
  row: string;
  column: number;
}

/** Both days are inclusive. */
export interface DayColumnRange {
  first: DayColumn;
  last: DayColumn;
}

export function toMonthColumn(day: string): DayColumn {
  return { row: day.slice(0, 7), column: Number(day.slice(8)) };
}

const SECOND_HALF_START_DAY = 16;
const DAYS_PER_HALF_MAX = 16;

export function toHalfMonthColumn(day: string): DayColumn {
  const date = Number(day.slice(8));
  return date < SECOND_HALF_START_DAY
    ? { row: `${day.slice(0, 8)}01`, column: date }
    : { row: `${day.slice(0, 8)}${SECOND_HALF_START_DAY}`, column: date - SECOND_HALF_START_DAY + 1 };
}

export function listHalfMonths(from: string, to: string): { row: string; first: number; last: number }[] {
  if (from > to) return [];
  const last = toHalfMonthColumn(to);
  const halves = [
    { row: toHalfMonthColumn(from).row, first: toHalfMonthColumn(from).column, last: DAYS_PER_HALF_MAX },
  ];
  for (let row = toHalfMonthColumn(from).row; row !== last.row; ) {
    row = row.endsWith('01')
      ? `${row.slice(0, 8)}${SECOND_HALF_START_DAY}`
      : addDays(getMonthRange(row).to, 1);
    halves.push({ row, first: 1, last: DAYS_PER_HALF_MAX });
  }
  return halves.map((half) => (half.row === last.row ? { ...half, last: last.column } : half));
}

export function buildHalfMonthKey(day: SQL): SQL {
  return sql`substr(${day}, 1, 8) || iif(substr(${day}, 9) < '16', '01', '16')`;
}

export function buildHalfMonthColumn(day: SQL): SQL {
  return sql`substr(${day}, 9) - iif(substr(${day}, 9) < '16', 0, 15)`;
}

export function isRowInRange(key: SQL, { first, last }: DayColumnRange): SQL {
  // Compares a single row with `=`, because a range reads one row more than it returns.
  return first.row === last.row
    ? sql`${key} = ${first.row}`
    : sql`${key} BETWEEN ${first.row} AND ${last.row}`;
}

export function sumRowInRange(
  key: SQL,
  { first, last }: DayColumnRange,
  columns: readonly SQL[],
  whole?: SQL,
): SQL {
  if (first.row === last.row) return sumColumns(columns.slice(first.column - 1, last.column));
  return sql`
    CASE ${key} WHEN ${first.row} THEN ${sumColumns(columns.slice(first.column - 1))}
      WHEN ${last.row} THEN ${sumColumns(columns.slice(0, last.column))} ELSE ${whole ?? sumColumns(columns)} END`;
}

function sumColumns(columns: readonly SQL[]): SQL {
  return columns.length === 0 ? sql`0` : sql`(${sql.join(columns, sql` + `)})`;
}
