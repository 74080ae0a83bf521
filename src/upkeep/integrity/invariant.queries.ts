import { rows, type Statement } from '../../kernel/sql/database.ts';
import { columns, names, type Row, type SQL, sql, typed } from '../../kernel/sql/sql.ts';
import { projectDeletions } from '../../schema/cell/project-deletions.ts';
import { tasks } from '../../schema/cell/tasks.ts';

const d = names(projectDeletions, 'd');

/** Describes a row that violates an invariant, for an operator. */
const offenderColumn = columns({ offender: typed<string>(sql`offender`) });
type Offender = Row<typeof offenderColumn>;

/** Ids of projects or tasks, inclusive. */
export interface IdRange {
  readonly from: number;
  readonly to: number;
}

export const everyId: IdRange = { from: -1, to: Number.MAX_SAFE_INTEGER };

/** A rule that holds in a database between any two transactions. */
export interface Invariant {
  readonly name: string;
  /** Checked by range, because D1 ends a statement after 30 seconds; without it, all at once. */
  readonly over?: 'projects' | 'tasks';
  /** Returns at most `OFFENDERS_MAX` violating rows. */
  readonly offenders: (range: IdRange) => Statement<Offender[]>;
  /** Without a repair, a violation needs a person. */
  readonly repairedBy?: 'counters' | 'search' | 'memberships';
}

export const OFFENDERS_MAX = 20;
const limit = sql.raw(String(OFFENDERS_MAX));

/** Tasks of projects that are being deleted. Their history is deleted too. */
export const hiddenTasks = sql`(SELECT ${tasks.id} FROM ${tasks} INDEXED BY tasks_by_project WHERE ${tasks.project} < 0)`;

/** Projects that are being deleted. Some of their meetings and comments may already be deleted. */
export const projectsBeingDeleted = sql`(SELECT ${d.project} FROM ${d})`;
export const tasksBeingDeleted = sql`(
  SELECT ${tasks.id} FROM ${tasks} INDEXED BY tasks_by_project
  WHERE ${tasks.project} IN (SELECT ${d.project} FROM ${d} UNION ALL SELECT -${d.project} FROM ${d}))`;

/** No part of `query` may be user input. If it is a function, its argument restricts a column to the range. */
export function findOffenders(query: SQL | ((within: (column: SQL) => SQL) => SQL)): Invariant['offenders'] {
  return ({ from, to }) => {
    const range = sql.raw(`BETWEEN ${from} AND ${to}`);
    const found = typeof query === 'function' ? query((column) => sql`${column} ${range}`) : query;
    return rows(sql`SELECT ${offenderColumn} FROM (${found}) LIMIT ${limit}`);
  };
}

/** `sums` adds up stored values and negated actual ones by key, so a result other than zero is the counter's error. */
export function selectCounterErrors(
  what: string,
  keys: readonly string[],
  columns: readonly string[],
  sums: SQL,
): SQL {
  const place = keys.map((key) => `'${key} ' || ${key}`).join(` || ', ' || `);
  const wrong = columns.map((column) => `sum(${column}) <> 0`).join(' OR ');
  const by = columns.map((column) => `iif(sum(${column}) <> 0, ' ${column} ' || sum(${column}), '')`);
  return sql`SELECT ${sql.raw(`'${what}: ' || ${place} || ', too high by' || ${by.join(' || ')}`)} AS offender
    FROM (${sums}) GROUP BY ${sql.raw(keys.join(', '))} HAVING ${sql.raw(wrong)}`;
}
