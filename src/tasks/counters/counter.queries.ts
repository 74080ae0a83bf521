import { type Statement, write } from '../../kernel/sql/database.ts';
import { addExcluded } from '../../kernel/sql/expressions.queries.ts';
import { into, list, type NameOf, type SQL, sql, type Table } from '../../kernel/sql/sql.ts';
import { type Side, type Sign, type States, sideOf } from './states.queries.ts';

/*
 * A counter says what a side of a state adds to a table, and under which key. `count` applies the difference of both sides.
 */

/** What the old or the new side of a state `s` adds to a counter. */
interface Share<T extends Table> {
  key: Expressions<NameOf<T>>;
  /** Condition: the side counts. */
  counts: SQL;
  values: Expressions<NameOf<T>>;
  /** The columns that the values are computed from. */
  sources: readonly SQL[];
}
type Expressions<Column extends string> = Partial<Record<Column, SQL>>;

interface Counter<T extends Table> {
  table: T;
  before: Share<T>;
  after: Share<T>;
  /** Numbers of the rows that each state counts in, for `s.row`; without, it is one. */
  rows?: SQL;
}

export const oldSide = sideOf('s', 'old');
export const newSide = sideOf('s', 'new');

export function counterOf<T extends Table>(
  table: T,
  shareOf: (side: Side) => Share<T>,
  rows?: SQL,
): Counter<T> {
  return { table, before: shareOf(oldSide), after: shareOf(newSide), ...(rows && { rows }) };
}

/**
 * Subtracts each state where it counted (side 0) and adds it where it will count (side 1). Makes one row if both are the
 * same, and none if nothing changes.
 */
export function count<T extends Table>(states: States, counter: Counter<T>, sign: Sign = 1): Statement<void> {
  const { table, before, after, rows } = counter;
  const key = columnsOf(after.key);
  const columns = columnsOf(after.values);
  const keyPairs = key.map((column) => [before.key[column], after.key[column]] as Pair);
  const sourcePairs = before.sources.map((source, index) => [source, after.sources[index]] as Pair);
  const hasSameKey = areEqual(keyPairs);
  const stays = sql`(${after.counts} AND ${hasSameKey})`;
  const deltas = columns.map((column) =>
    signed(
      sign,
      sql`s.added * (${after.values[column] as SQL}) - iif(s.taken, ${before.values[column] as SQL}, 0)`,
    ),
  );
  const keyValues = keyPairs.map(([old, now]) =>
    isConstant([old, now]) ? now : sql`iif(s.taken, ${old}, ${now})`,
  );
  const stateRows = rows
    ? sql`SELECT st.*, r.column1 AS row FROM (${states}) st CROSS JOIN (VALUES ${rows}) r`
    : states;
  // With the LIMIT it is decided once a state what is added and taken; without, in each column.
  const sides = sql`
    SELECT s.*, side.column1 = 0 AS taken, iif(side.column1 = 0, ${stays}, 1) AS added
    FROM (${stateRows}) s
    CROSS JOIN (VALUES (0), (1)) side
    WHERE iif(side.column1 = 0,
      s.was AND ${before.counts} AND NOT (${stays} AND ${areEqual(sourcePairs)}),
      ${after.counts} AND NOT (s.was AND ${before.counts} AND ${hasSameKey})) LIMIT -1`;
  return write(sql`
    INSERT INTO ${into(table, ...key, ...columns)}
    SELECT ${listed([...keyValues, ...deltas])} FROM (${sides}) s
    WHERE true ON CONFLICT (${list(table, ...key)}) DO UPDATE SET ${addExcluded(columns)}`);
}

/** The same expression over the old and the new side. */
type Pair = readonly [old: SQL, now: SQL];

function isConstant([old, now]: Pair): boolean {
  return String(old) === String(now);
}

function areEqual(pairs: readonly Pair[]): SQL {
  const equal = pairs.filter((pair) => !isConstant(pair)).map(([old, now]) => sql`${old} IS ${now}`);
  return sql.join([...equal, sql`1`], sql` AND `);
}

export function signed(sign: Sign, sum: SQL): SQL {
  return sign === 1 ? sum : sql`-(${sum})`;
}

export function listed(expressions: readonly SQL[]): SQL {
  return sql.join(expressions, sql`, `);
}

export function columnsOf<C extends string>(expressions: Expressions<C>): C[] {
  return Object.keys(expressions) as C[];
}
