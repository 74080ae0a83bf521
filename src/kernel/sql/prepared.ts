import { Column, exists, getTableColumns, Placeholder, SQL, type SQLWrapper, type Table } from 'drizzle-orm';
import { type SelectedFields, SQLiteAsyncDialect, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import { buildCallerAssertion, buildUnchangedAssertion, rowReaders, type Statement } from './database.ts';
import { type ColumnNameOf, sql } from './sql.ts';

/*
 * Queries written with Drizzle's builder. Building a query for each request would take too long, so each query is built
 * on first use, with a placeholder for every argument:
 *
 * export const findTeam = prepared.firstRow((id: Argument<number>) =>
 * query.select(pick(teams, 'id', 'name')).from(teams).where(eq(teams.id, id)),
 * );
 */

/** A placeholder for an argument. If the argument is an object, each of its properties is also a placeholder. */
export type Argument<T> = SQL<T> & (T extends object ? { readonly [K in keyof T]-?: SQL<T[K]> } : unknown);

type ValuesOf<G extends readonly unknown[]> = { [K in keyof G]: G[K] extends SQL<infer T> ? T : never };

interface SelectQuery<R> extends SQLWrapper {
  readonly _: { readonly result: R[] };
}

export type RowOf<S extends (...values: never[]) => Statement> =
  ReturnType<S> extends Statement<infer R>
    ? NonNullable<R extends readonly (infer Each)[] ? Each : R>
    : never;

const dialect = new SQLiteAsyncDialect();
const builder = drizzle(() => {
  throw new Error('Statements run in a Database batch, never on their own');
});

/** Names each column after its key, because a batch returns rows as objects, whose keys must be unique. */
export const query = {
  select: <F extends SelectedFields>(fields: F) => builder.select(nameFieldsByKey(fields)),
  selectDistinct: <F extends SelectedFields>(fields: F) => builder.selectDistinct(nameFieldsByKey(fields)),
  insert: <T extends SQLiteTable>(table: T) => builder.insert(table),
  update: <T extends SQLiteTable>(table: T) => builder.update(table),
  delete: <T extends SQLiteTable>(table: T) => builder.delete(table),
};

function nameFieldsByKey<F extends SelectedFields>(fields: F): F {
  const entries = Object.entries(fields as Record<string, SQLWrapper>).map(([key, field]) => {
    const isNamed = field instanceof Column && field.name === key;
    return [key, isNamed ? field : new SQL.Aliased(field.getSQL(), key)];
  });
  return Object.fromEntries(entries);
}

/** Drizzle accepts any SQL as a limit, but its types don't. */
export function toRowLimit(limit: SQL<number>): Placeholder {
  return limit as unknown as Placeholder;
}

export function hasRow(table: SQLiteTable, condition: SQL | undefined): SQL {
  return exists(builder.select({ one: sql`1` }).from(table).where(condition));
}

export function pickColumns<T extends Table, N extends ColumnNameOf<T>>(
  table: T,
  ...columns: readonly N[]
): Pick<T['_']['columns'], N> {
  const all = getTableColumns(table);
  return Object.fromEntries(columns.map((name) => [name, all[name]])) as never;
}

class ArgumentPlaceholder extends Placeholder {
  readonly index: number;
  readonly key: string | null;

  constructor(index: number, key: string | null) {
    super(key === null ? `${index}` : `${index}.${key}`);
    this.index = index;
    this.key = key;
  }

  getValue(values: readonly unknown[]): unknown {
    const value = values[this.index];
    return this.key === null ? value : (value as Record<string, unknown>)[this.key];
  }
}

function createPlaceholder(index: number): SQL {
  return new Proxy(new SQL([new ArgumentPlaceholder(index, null)]), {
    get: (target, key) =>
      typeof key === 'symbol' || key in target
        ? Reflect.get(target, key)
        : new SQL([new ArgumentPlaceholder(index, key)]),
    ownKeys: () => {
      throw new Error(
        "name each property that the query uses: the arguments of a prepared query can't be spread",
      );
    },
  });
}

function prepare<G extends readonly unknown[], T>(
  build: (...given: G) => SQLWrapper,
  read: Statement<T>['read'],
  finish: (query: SQL) => SQL = (query) => query,
): (...values: ValuesOf<G>) => Statement<T> {
  let built: { sql: string; params: readonly unknown[] } | undefined;
  return (...values) => {
    if (!built) {
      const placeholders = Array.from({ length: build.length }, (_, index) => createPlaceholder(index));
      // Inlines constants, because SQLite uses a partial index only if it knows the value.
      built = dialect.sqlToQuery(finish(build(...(placeholders as never)).getSQL()).inlineParams());
    }
    const { sql, params } = built;
    return {
      sql,
      params: params.map((param) => (param instanceof ArgumentPlaceholder ? param.getValue(values) : param)),
      read,
    };
  };
}

export const prepared = {
  rows: <G extends readonly unknown[], R>(build: (...given: G) => SelectQuery<R>) =>
    prepare<G, R[]>(build, rowReaders.rows),

  firstRow: <G extends readonly unknown[], R>(build: (...given: G) => SelectQuery<R>) =>
    prepare<G, R | null>(build, rowReaders.firstRow),

  row: <G extends readonly unknown[], R>(build: (...given: G) => SelectQuery<R>) =>
    prepare<G, R>(build, rowReaders.row),

  number: <G extends readonly unknown[]>(build: (...given: G) => SelectQuery<Record<string, number>>) =>
    prepare<G, number>(build, rowReaders.number),

  write: <G extends readonly unknown[]>(build: (...given: G) => SQLWrapper) =>
    prepare<G, void>(build, rowReaders.nothing),

  assertUnchanged: <G extends readonly unknown[]>(build: (...given: G) => SQL) =>
    prepare<G, void>(build, rowReaders.nothing, buildUnchangedAssertion),

  guard: <G extends readonly unknown[]>(build: (...given: G) => SQL) =>
    prepare<G, void>(build, rowReaders.nothing, buildCallerAssertion),
};
