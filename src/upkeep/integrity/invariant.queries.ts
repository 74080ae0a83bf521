import { readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { projectDeletions } from '../../schema/cell/project-deletions.ts';
import { tasks } from '../../schema/cell/tasks.ts';

const d = aliasTable(projectDeletions, 'd');

const offenderColumn = selectColumns({ offender: withType<string>(sql`offender`) });
type Offender = Row<typeof offenderColumn>;

export interface IdRange {
  readonly from: number;
  readonly to: number;
}

export const allIds: IdRange = { from: -1, to: Number.MAX_SAFE_INTEGER };

/** A rule that holds for a database between any two transactions. */
export interface Invariant {
  readonly name: string;
  /** If set, the check runs once per range of these ids, because D1 ends a statement after 30 seconds. */
  readonly over?: 'projects' | 'tasks';
  readonly offenders: (range: IdRange) => Statement<Offender[]>;
  /** The repair that fixes a violation. If undefined, a person has to fix it. */
  readonly repairedBy?: 'counters' | 'search' | 'memberships';
}

export const OFFENDERS_MAX = 20;
const limit = sql.raw(String(OFFENDERS_MAX));

/** Selects tasks in the trash, and tasks that the deletion of their project has already hidden. */
export const hiddenTasks = sql`(SELECT ${tasks.id} FROM ${tasks} INDEXED BY tasks_by_project WHERE ${tasks.project} < 0)`;

/** Projects that are being deleted. Some of their meetings and comments may already be deleted. */
export const projectsBeingDeleted = sql`(SELECT ${d.project} FROM ${d})`;
export const tasksBeingDeleted = sql`(
  SELECT ${tasks.id} FROM ${tasks} INDEXED BY tasks_by_project WHERE ${tasks.project} < 0
  UNION ALL SELECT ${tasks.id} FROM ${tasks} INDEXED BY tasks_by_project
    WHERE ${tasks.project} IN (SELECT ${d.project} FROM ${d}))`;

/** `query` must not contain user input. If it is a function, its argument limits a column to the range. */
export function createOffenderQuery(
  query: SQL | ((within: (column: SQL) => SQL) => SQL),
): Invariant['offenders'] {
  return ({ from, to }) => {
    const range = sql.raw(`BETWEEN ${from} AND ${to}`);
    const found = typeof query === 'function' ? query((column) => sql`${column} ${range}`) : query;
    return readRows(sql`SELECT ${offenderColumn} FROM (${found}) LIMIT ${limit}`);
  };
}

/** `sums` selects stored values and negated actual values, so a counter is wrong if its sum isn't zero. */
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
