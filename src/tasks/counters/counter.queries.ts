import { type Statement, write } from '../../kernel/sql/database.ts';
import { addExcludedValues } from '../../kernel/sql/expressions.queries.ts';
import {
  aliasTable,
  type ColumnNameOf,
  joinColumnNames,
  nameInsertColumns,
  type SQL,
  sql,
  type Table,
} from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { countedColumns, type NewCountedValues } from '../model/change.queries.ts';
import type { TaskExpression, TaskSelection } from '../model/selection.queries.ts';
import { selectCutoffs } from './cutoffs.queries.ts';

const t = aliasTable(tasks, 't');

/**
 * A SELECT of all `countedColumns`, once as `old_…` and once as `new_…`. The batch itself reads the old values, so that
 * an outdated value can't change a counter. `was` is 0 for tasks that the batch has just inserted.
 */
export type TaskStates = SQL;

export type StateExpressions = Readonly<Record<(typeof countedColumns)[number] | 'bucket', SQL>>;

export function buildStateExpressions(alias: string, side: 'old' | 'new'): StateExpressions {
  const columns = [...countedColumns, 'bucket'].map((name) => [name, sql.raw(`${alias}.${side}_${name}`)]);
  return Object.fromEntries(columns);
}

export type Sign = 1 | -1;

export function selectAddedStates(ws: number, selection: TaskSelection): TaskStates {
  return selectTaskStates(ws, selection, () => ({}), 0);
}

export function selectChangedStates(
  ws: number,
  selection: TaskSelection,
  after: TaskExpression<NewCountedValues>,
  created?: TaskSelection,
): TaskStates {
  const changed = selectTaskStates(ws, selection, after, 1);
  if (!created) return changed;
  return sql`SELECT * FROM (${changed}) UNION ALL SELECT * FROM (${selectAddedStates(ws, created)})`;
}

export function joinCutoffs(ws: number, states: TaskStates): TaskStates {
  // If the states came second in the join, SQLite would store them and read them twice.
  return sql`SELECT * FROM (${states}) st CROSS JOIN (${selectCutoffs(ws)}) bw`;
}

function selectTaskStates(
  ws: number,
  selection: TaskSelection,
  after: TaskExpression<NewCountedValues>,
  was: 0 | 1,
): TaskStates {
  const { access, where } = selection(t);
  const state = after(t);
  const old = (name: (typeof countedColumns)[number]) => t[name];
  const become = (name: (typeof countedColumns)[number]) => state[name] ?? old(name);
  const columns = countedColumns.flatMap((name) => [
    sql`${old(name)} AS ${sql.raw(`old_${name}`)}`,
    sql`${become(name)} AS ${sql.raw(`new_${name}`)}`,
  ]);
  // The LIMIT makes SQLite compute each new value once per task. Otherwise, about a hundred counter columns would
  // repeat the expression, and a bulk update with different values per task would exceed SQLite's memory limit.
  const bucket = sql`${become('archived')} * 15 + ${become('status')} * 3 + ${become('priority')}`;
  return sql`
    SELECT ${sql.raw(String(was))} AS was, ${t.id} AS id, ${t.ws} AS ws, ${t.project} AS project,
      ${t.followers} AS followers, ${sql.join(columns, sql`, `)},
      ${t.bucket} AS old_bucket, ${bucket} AS new_bucket
    FROM ${t} ${access} WHERE ${where} AND ${t.ws} = ${ws} LIMIT -1`;
}

/* A counter defines which values a task adds to a table, and to which row. */

interface CounterContribution<T extends Table> {
  key: ColumnExpressions<ColumnNameOf<T>>;
  counts: SQL;
  values: ColumnExpressions<ColumnNameOf<T>>;
  sources: readonly SQL[];
}
type ColumnExpressions<Column extends string> = Partial<Record<Column, SQL>>;

interface Counter<T extends Table> {
  table: T;
  before: CounterContribution<T>;
  after: CounterContribution<T>;
  rows?: CounterRows;
}

/**
 * The rows in which a task is counted, if there are several. `from` is a table expression that can refer to the task's
 * state as `st`, and `row` is a column of that table.
 */
interface CounterRows {
  from: SQL;
  row: SQL;
}

export const oldState = buildStateExpressions('s', 'old');
export const newState = buildStateExpressions('s', 'new');

export function buildCounter<T extends Table>(
  table: T,
  shareOf: (side: StateExpressions) => CounterContribution<T>,
  rows?: CounterRows,
): Counter<T> {
  return { table, before: shareOf(oldState), after: shareOf(newState), ...(rows && { rows }) };
}

/**
 * Subtracts the old state from the counter and adds the new one. Writes one row if both have the same key, and none if
 * nothing changes.
 */
export function applyCounter<T extends Table>(
  states: TaskStates,
  counter: Counter<T>,
  sign: Sign = 1,
): Statement<void> {
  const { table, before, after, rows } = counter;
  const key = getColumnNames(after.key);
  const columns = getColumnNames(after.values);
  const keyPairs = key.map((column) => [before.key[column], after.key[column]] as OldAndNewExpressions);
  const sourcePairs = before.sources.map(
    (source, index) => [source, after.sources[index]] as OldAndNewExpressions,
  );
  const hasSameKey = buildEqualityCondition(keyPairs);
  const stays = sql`(${after.counts} AND ${hasSameKey})`;
  const deltas = columns.map((column) =>
    applySign(
      sign,
      sql`s.added * (${after.values[column] as SQL}) - iif(s.taken, ${before.values[column] as SQL}, 0)`,
    ),
  );
  const keyValues = keyPairs.map(([old, now]) =>
    isConstant([old, now]) ? now : sql`iif(s.taken, ${old}, ${now})`,
  );
  const stateRows = rows
    ? sql`SELECT st.*, ${rows.row} AS row FROM (${states}) st CROSS JOIN ${rows.from}`
    : states;
  // The LIMIT makes SQLite compute `taken` and `added` once per row. Otherwise, it would compute them for each column.
  const sides = sql`
    SELECT s.*, side.column1 = 0 AS taken, iif(side.column1 = 0, ${stays}, 1) AS added
    FROM (${stateRows}) s
    CROSS JOIN (VALUES (0), (1)) side
    WHERE iif(side.column1 = 0,
      s.was AND ${before.counts} AND NOT (${stays} AND ${buildEqualityCondition(sourcePairs)}),
      ${after.counts} AND NOT (s.was AND ${before.counts} AND ${hasSameKey})) LIMIT -1`;
  return write(sql`
    INSERT INTO ${nameInsertColumns(table, ...key, ...columns)}
    SELECT ${joinWithCommas([...keyValues, ...deltas])} FROM (${sides}) s
    WHERE true ON CONFLICT (${joinColumnNames(table, ...key)}) DO UPDATE SET ${addExcludedValues(columns)}`);
}

type OldAndNewExpressions = readonly [old: SQL, now: SQL];

function isConstant([old, now]: OldAndNewExpressions): boolean {
  return String(old) === String(now);
}

function buildEqualityCondition(pairs: readonly OldAndNewExpressions[]): SQL {
  const equal = pairs.filter((pair) => !isConstant(pair)).map(([old, now]) => sql`${old} IS ${now}`);
  return sql.join([...equal, sql`1`], sql` AND `);
}

export function applySign(sign: Sign, sum: SQL): SQL {
  return sign === 1 ? sum : sql`-(${sum})`;
}

export function joinWithCommas(expressions: readonly SQL[]): SQL {
  return sql.join(expressions, sql`, `);
}

export function getColumnNames<C extends string>(expressions: ColumnExpressions<C>): C[] {
  return Object.keys(expressions) as C[];
}
